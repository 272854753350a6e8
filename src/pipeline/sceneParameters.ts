import type { EvidenceParameters } from '../evidence/EvidenceStore.js';
import type { GraphParameters } from '../graph/parameters.js';
import type { PerceiveParameters } from '../perceive/parameters.js';
import { durationFromSeconds } from '../time/Stamp.js';
import { choice, double, integer, text, textList, textMap } from './parameterDefinition.js';
import type { Parameters } from './parameters.js';

/** Tunables of perception, of the working graph and of stored views: the part of the table below the inputs. */
export const sceneParameterTree = {
  structure: {
    minSupportAreaM2: double({
      default: 0.25,
      range: [0.01, 10],
      unit: 'm²',
      description:
        'A level surface 2–30 cm above a larger one is an object’s top up to four times this area, a support beyond.',
    }),
    minBoardAreaM2: double({
      default: 0.1,
      range: [0.01, 10],
      unit: 'm²',
      description: 'Level surface with nothing right under it (a shelf board) that makes a support.',
    }),
    minPatchAreaM2: double({
      default: 0.04,
      range: [0.005, 1],
      unit: 'm²',
      description: 'Smallest level patch looked at; a known surface is found again on a quarter of it.',
    }),
    levelInlierM: double({
      default: 0.008,
      range: [0.001, 0.05],
      unit: 'm',
      description:
        'Points this near (or 3σ) belong to a level surface. Doubled, magazines vanish into the table.',
    }),
    minWallAreaM2: double({
      default: 0.8,
      range: [0.1, 20],
      unit: 'm²',
      description: 'Upright surface seen at once that is taken for a wall and left out of objects.',
    }),
    minStripAreaM2: double({
      default: 0.3,
      range: [0.05, 20],
      unit: 'm²',
      description: 'Upright surface that is followed over frames, since it may grow into a wall.',
    }),
    wallShare: double({
      default: 0.6,
      range: [0.1, 1],
      description: 'A piece with at least this share of its points on a wall is part of the wall.',
    }),
  },
  segmentation: {
    maxObjectRangeM: double({
      default: 4.5,
      range: [0.5, 20],
      unit: 'm',
      description: 'Things farther away are not observed: at this distance noise begins to make them up.',
    }),
    joinM: double({
      default: 0.01,
      range: [0.001, 0.1],
      unit: 'm',
      description: 'Neighbouring points closer than this (or join_sigmas·σ) are one piece.',
    }),
    joinSigmas: double({
      default: 2,
      range: [0.5, 10],
      description: 'The same limit in standard deviations of the depth noise.',
    }),
    splitWidthM: double({
      default: 0.4,
      range: [0.05, 5],
      unit: 'm',
      description: 'Wider pieces are tried again with half the limit after losing their rim.',
    }),
    minPixels: integer({
      default: 60,
      range: [4, 10_000],
      description:
        'Depth pixels of a 640×480 picture that make a piece (a quarter as many cells at 320×240).',
    }),
    maxPieces: integer({
      default: 200,
      range: [1, 5000],
      description: 'Most pieces looked at in one frame, largest first: noise can make thousands of them.',
    }),
    minSideM: double({
      default: 0.02,
      range: [0.001, 1],
      unit: 'm',
      description: 'A thing’s longest side is at least this.',
    }),
    maxSideM: double({
      default: 1.5,
      range: [0.1, 10],
      unit: 'm',
      description: 'A thing’s longest side is at most this; larger pieces are left out.',
    }),
  },
  detector: {
    source: choice({
      default: 'model',
      choices: ['model', 'topic', 'none'],
      description:
        'Who names things: the model that description describes, if any; another node, on the topics detections and ' +
        'instances; or nobody.',
    }),
    description: text({
      default: '',
      description: 'The YAML file that describes an ONNX detector (see “Bring your own model”); empty: none.',
    }),
    providers: textList({
      default: [],
      description:
        'Execution providers of onnxruntime in the order of preference; the CPU stands behind them.',
    }),
    threads: integer({
      default: 1,
      range: [1, 64],
      description: 'Threads that the model works on one picture with.',
    }),
    waitS: double({
      default: 0.3,
      range: [0, 5],
      unit: 's',
      description:
        'How long a frame waits for what another node says of its picture, counted in the data’s own time.',
    }),
    toleranceS: double({
      default: 0.05,
      range: [0, 0.1],
      unit: 's',
      description:
        'Largest difference of stamps between a colour picture and what another node says of it; equal ones go first.',
    }),
    labels: text({
      default: '',
      description:
        'File with the names of the other node’s classes, one a line from class 0; empty: class ids are names.',
    }),
    classNames: textMap({
      default: {},
      description: 'Class id or name of the other node → the name to give, before any that labels has.',
    }),
    createScore: double({
      default: 0.3,
      range: [0, 1],
      description: 'Score from which a detection may make, join or part things.',
    }),
    confirmScore: double({
      default: 0.15,
      range: [0, 1],
      description: 'Score from which a detection may name what depth alone finds.',
    }),
    maxPerImage: integer({
      default: 30,
      range: [1, 200],
      description: 'Most detections of one picture that are used, the surest first.',
    }),
  },
  association: {
    acceptCost: double({
      default: 0.55,
      range: [0.05, 1],
      description: 'Dearest match of an observation with a known thing. Higher: fewer doubles, more mix-ups.',
    }),
    minGateM: double({
      default: 0.15,
      range: [0.01, 2],
      unit: 'm',
      description: 'Centres this near may always match.',
    }),
    maxGateM: double({
      default: 1,
      range: [0.05, 10],
      unit: 'm',
      description: 'Centres farther apart never match unless the things overlap.',
    }),
    movedM: double({
      default: 0.3,
      range: [0.02, 5],
      unit: 'm',
      description: 'A whole view this far off (and beyond half the thing’s size) is a move, not an average.',
    }),
  },
  confirmation: {
    hits: integer({ default: 3, range: [1, 100], description: 'Sightings that make an entity of a track.' }),
    spanS: double({
      default: 0.6,
      range: [0, 60],
      unit: 's',
      description: 'Time that these sightings must span.',
    }),
    strongSpanS: double({
      default: 0.2,
      range: [0, 60],
      unit: 's',
      description:
        'The same when a detector surely gave each of them one name: a thing may rest only briefly.',
    }),
    forgetS: double({
      default: 10,
      range: [0.1, 600],
      unit: 's',
      description: 'A tentative track that is not seen for this long is forgotten.',
    }),
    share: double({
      default: 0.3,
      range: [0, 1],
      description:
        'Share of the frames that showed its place in which a track must have been observed: fragments are not.',
    }),
  },
  absence: {
    misses: integer({
      default: 3,
      range: [1, 100],
      description: 'Clear views of a thing’s empty place that it takes to make it missing.',
    }),
    spanS: double({
      default: 0.8,
      range: [0, 60],
      unit: 's',
      description: 'Time that these clear views must span.',
    }),
    existsBelow: double({
      default: 0.35,
      range: [0, 1],
      description: 'It is missing only once the probability that it exists has fallen below this.',
    }),
    removeAfterS: double({
      default: 120,
      range: [1, 86_400],
      unit: 's',
      description: 'A missing thing is removed (leaving a tombstone) when it was missed for this long.',
    }),
  },
  merge: {
    overlap: double({
      default: 0.5,
      range: [0.1, 1],
      description: 'Two entities are compared when their boxes share this much of the smaller one.',
    }),
    checks: integer({
      default: 3,
      range: [1, 100],
      description: 'Frames that must speak for one thing, less those that speak for two, before they merge.',
    }),
  },
  relations: {
    nearM: double({
      default: 0.5,
      range: [0, 10],
      unit: 'm',
      description: 'Things whose boxes are at most this far apart are near each other.',
    }),
    nearLeaveM: double({
      default: 0.6,
      range: [0, 10],
      unit: 'm',
      description: 'They stop being near beyond this.',
    }),
    onGapMinM: double({
      default: -0.03,
      range: [-0.5, 0],
      unit: 'm',
      description: 'Lowest height above a surface at which the bottom of a thing that is on it may lie.',
    }),
    onGapMaxM: double({
      default: 0.05,
      range: [0, 0.5],
      unit: 'm',
      description: 'Highest height of the same.',
    }),
    onLeaveM: double({
      default: 0.08,
      range: [0, 1],
      unit: 'm',
      description: 'It stops being on it when its bottom is higher than this.',
    }),
    onOverlap: double({
      default: 0.5,
      range: [0, 1],
      description: 'Share of the upper footprint that must lie over the lower one.',
    }),
    onLeaveOverlap: double({
      default: 0.35,
      range: [0, 1],
      description: 'It stops being on it below this share.',
    }),
  },
  evidence: {
    gain: double({
      default: 1.15,
      range: [1, 10],
      description: 'A better view replaces a stored one when its score is this many times as high.',
    }),
    renewS: double({
      default: 2,
      range: [0.1, 600],
      unit: 's',
      description: 'The latest view is renewed when it is older than this.',
    }),
    otherSideDeg: double({
      default: 45,
      range: [5, 180],
      unit: '°',
      description: 'A view from at least this far around the thing is kept as another side.',
    }),
    maxBytes: integer({
      default: 40_000,
      range: [1000, 10_000_000],
      description: 'Largest stored picture, bytes.',
    }),
    maxPerFrame: integer({
      default: 4,
      range: [1, 100],
      description: 'Views taken of one frame; what misses out comes with a later frame.',
    }),
    maxRawMb: integer({
      default: 16,
      range: [1, 100_000],
      unit: 'MB',
      description:
        'Memory for views that nobody asked for yet: encoded from half of it on; when it is full, frames leave none.',
    }),
    maxRefs: integer({
      default: 2000,
      range: [1, 1_000_000],
      description: 'Refs that keep views; beyond it those seen longest ago lose theirs.',
    }),
    removedKeepS: double({
      default: 86_400,
      range: [0, 100_000_000],
      unit: 's',
      description:
        'The views of a thing that was removed are kept this long, for who asks for include_removed.',
    }),
  },
  execution: {
    effectsFile: text({
      default: '',
      description:
        'Table of what confirmed tools mean for the graph; empty: the one that comes with the package.',
    }),
  },
} as const;

export function perceiveParameters({
  input,
  structure,
  segmentation,
  detector,
}: Parameters): PerceiveParameters {
  return {
    minRangeM: input.minDepthM,
    maxRangeM: input.maxDepthM,
    maxObjectRangeM: segmentation.maxObjectRangeM,
    levels: {
      minSupportArea: structure.minSupportAreaM2,
      minBoardArea: structure.minBoardAreaM2,
      minPatchArea: structure.minPatchAreaM2,
      inlierM: structure.levelInlierM,
    },
    uprights: { minWallArea: structure.minWallAreaM2, minStripArea: structure.minStripAreaM2 },
    components: {
      joinM: segmentation.joinM,
      joinSigmas: segmentation.joinSigmas,
      splitWidthM: segmentation.splitWidthM,
      minCells: Math.max(1, Math.round(segmentation.minPixels / 4)),
    },
    detections: {
      createScore: detector.createScore,
      confirmScore: detector.confirmScore,
      maxPerImage: detector.maxPerImage,
    },
    wallShare: structure.wallShare,
    maxPieces: segmentation.maxPieces,
    minSideM: segmentation.minSideM,
    maxSideM: segmentation.maxSideM,
  };
}

export function graphParameters({
  association,
  confirmation,
  absence,
  merge,
  relations,
}: Parameters): GraphParameters {
  const { movedM, ...gates } = association;
  return { association: gates, confirmation, absence, merge, movedM, relations };
}

export function evidenceParameters({ evidence }: Parameters): EvidenceParameters {
  const { renewS, otherSideDeg, maxRawMb, removedKeepS, ...rest } = evidence;
  return {
    ...rest,
    renewNs: durationFromSeconds(renewS),
    removedKeepNs: durationFromSeconds(removedKeepS),
    otherSideRad: (otherSideDeg * Math.PI) / 180,
    maxRawBytes: maxRawMb * 1e6,
  };
}
