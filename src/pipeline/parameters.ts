import { sceneParameterTree } from './sceneParameters.js';
import { bool, choice, double, integer, text, textList, textMap } from './parameterDefinition.js';
import type {
  BoolDefinition,
  NumberDefinition,
  ParameterDefinition,
  StringArrayDefinition,
  StringDefinition,
  StringMapDefinition,
} from './parameterDefinition.js';

/**
 * The one place of all tunables. A group is a stage of the pipeline; the ROS name of `sync.maxIntervalS` is
 * `sync.max_interval_s`. Every number states its unit and why it has this value; the text is what
 * `ros2 param describe` shows.
 */
export const parameterTree = {
  frames: {
    map: text({
      default: 'map',
      description:
        'Fixed, gravity-aligned frame (z up) that all positions are in; odom or base_link will do.',
    }),
    odom: text({
      default: 'odom',
      description: 'Odometry frame; used only to close the edge odom→base from odometry when TF lacks it.',
    }),
    base: text({
      default: 'base_link',
      description: "The robot's body frame: the pose in the Brief is this one's.",
    }),
  },
  grippers: textMap({
    default: {},
    description:
      'Gripper name → its tool frame. A held thing follows this frame; without one it follows the base.',
  }),
  opticalFrames: textMap({
    default: {},
    description:
      'Stream → the optical frame its pictures are really in, for drivers whose headers name another one. ' +
      'Streams are depth and color, with several cameras <name>_depth and <name>_color.',
  }),
  cameras: textList({
    default: [],
    description:
      'Camera names, each with topics <name>/color/image_raw and so on; empty: one camera without prefix.',
  }),
  input: {
    transport: choice({
      default: 'auto',
      choices: ['auto', 'raw', 'compressed'],
      description: 'Which image transport to take; auto takes whichever is published, raw first.',
    }),
    reliability: choice({
      default: 'auto',
      choices: ['auto', 'reliable', 'best_effort'],
      description: 'Reliability of the image subscriptions; auto follows the publisher.',
    }),
    minDepthM: double({
      default: 0.15,
      range: [0, 10],
      unit: 'm',
      description: 'Nearer readings are no measurement: consumer sensors invent values below this.',
    }),
    maxDepthM: double({
      default: 6.0,
      range: [0.1, 100],
      unit: 'm',
      description: 'Farther readings are no measurement; noise grows with the square of the distance.',
    }),
    maxTurnRadPerS: double({
      default: 0.8,
      range: [0, 20],
      unit: 'rad/s',
      description:
        'Frames taken while the camera turns faster are not used: a stamp error of 10 ms then moves things 2 m away by centimetres.',
    }),
  },
  sync: {
    maxIntervalS: double({
      default: 0.05,
      range: [0, 0.1],
      unit: 's',
      description: 'Largest difference of stamps between the colour and depth pictures of one frame.',
    }),
    queueSize: integer({
      default: 30,
      range: [2, 1000],
      description:
        'Pictures kept per stream while waiting for their partner; the oldest is dropped and counted.',
    }),
  },
  tf: {
    cacheS: double({
      default: 30,
      range: [1, 600],
      unit: 's',
      description: 'Length of the transform history.',
    }),
    waitS: double({
      default: 0.2,
      range: [0, 5],
      unit: 's',
      description:
        'How long a frame waits for the transform at its own stamp before it is dropped and counted.',
    }),
  },
  time: {
    jumpBackS: double({
      default: 0.5,
      range: [0.1, 60],
      unit: 's',
      description:
        'Stamps of one stream that go back by this much mean a restart (a looping bag); less is disorder.',
    }),
  },
  brief: {
    staleAfterS: double({
      default: 3,
      range: [0.1, 600],
      unit: 's',
      description: 'The Brief is stale when no usable frame came for this long (steady clock).',
    }),
    maxRateHz: double({
      default: 2,
      range: [0.1, 30],
      unit: 'Hz',
      description: 'The Brief is published on change, at most this often.',
    }),
    maxPeriodS: double({
      default: 2,
      range: [0.1, 60],
      unit: 's',
      description: 'The Brief is published at least this often, changed or not.',
    }),
    minMoveM: double({
      default: 0.01,
      range: [0, 1],
      unit: 'm',
      description: 'A position that moved less does not count as a change.',
    }),
    tokenBudget: integer({
      default: 0,
      range: [0, 1_000_000],
      description:
        'Over this many tokens (about 4 characters each) far objects are listed by ref only; 0: never.',
    }),
  },
  ...sceneParameterTree,
  mapId: text({
    default: '',
    description:
      'Name of the map that frames.map is the frame of. Each has a graph of its own in the store: another map never mixes.',
  }),
  store: {
    path: text({
      default: '',
      description:
        'File that keeps the graph beyond the process (~ is the home folder); empty: memory only, nothing outlives the node.',
    }),
    periodS: double({
      default: 5,
      range: [0.1, 3600],
      unit: 's',
      description:
        'What frames changed is written this often; a node that is killed loses no more of it. Confirmed executions are written at once.',
    }),
    viewsPeriodS: double({
      default: 10,
      range: [0.1, 3600],
      unit: 's',
      description: 'Stored views are written this often; those replaced before are never encoded.',
    }),
    maxViewsMb: integer({
      default: 500,
      range: [0, 1_000_000],
      unit: 'MB',
      description: 'Pictures kept in the file; beyond it the refs seen longest ago lose theirs.',
    }),
    maxMb: integer({
      default: 0,
      range: [0, 1_000_000],
      unit: 'MB',
      description: 'The file grows no larger; what no longer fits is refused as on a full disk. 0: no limit.',
    }),
  },
  markers: {
    enabled: bool({ default: true, description: 'Publish markers for rviz while somebody subscribes.' }),
  },
} as const;

type ValueOf<D> = D extends NumberDefinition
  ? number
  : D extends BoolDefinition
    ? boolean
    : D extends StringDefinition<infer Word>
      ? Word
      : D extends StringArrayDefinition
        ? readonly string[]
        : D extends StringMapDefinition
          ? Readonly<Record<string, string>>
          : never;

type ValuesOf<T> = {
  readonly [Key in keyof T]: T[Key] extends ParameterDefinition ? ValueOf<T[Key]> : ValuesOf<T[Key]>;
};

/** Every tunable with its value, nested by group: `parameters.sync.maxIntervalS`. */
export type Parameters = ValuesOf<typeof parameterTree>;
