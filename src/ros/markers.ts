import type { Entity, GraphState } from '../graph/types.js';
import type { Box, Vec3 } from '../math/types.js';
import { parseRef } from '../protocol/index.js';
import { rosTimeFromStamp } from '../time/Stamp.js';
import { CdrWriter } from './CdrWriter.js';
import { writePose, writeTime } from './writeBrief.js';

/**
 * What rviz shows of the graph. Every array is the whole picture: it begins with DELETEALL, so nothing stale
 * stays and a late viewer sees everything. All boxes are one line list and all centres one sphere list, because
 * viewers slow down with the number of markers, not of lines; labels keep one id per ref.
 */

const LINE_LIST = 5;
const SPHERE_LIST = 7;
const TEXT_VIEW_FACING = 9;
const ADD = 0;
const DELETE_ALL = 3;

type Rgba = readonly [number, number, number, number];

const COLORS: Readonly<Record<Entity['kind'] | 'missing' | 'relation' | 'text', Rgba>> = {
  object: [0.1, 0.7, 1, 1],
  support: [0.9, 0.6, 0.1, 0.9],
  floor: [0.4, 0.4, 0.4, 0.5],
  wall: [0.4, 0.4, 0.4, 0.5],
  missing: [0.9, 0.1, 0.1, 0.6],
  relation: [0.3, 0.9, 0.3, 0.8],
  text: [1, 1, 1, 1],
};

const LINE_WIDTH_M = 0.01;
const CENTER_DIAMETER_M = 0.03;
const TEXT_HEIGHT_M = 0.06;

export interface Marker {
  readonly ns: string;
  readonly id: number;
  readonly type: number;
  readonly action: number;
  readonly position: Vec3;
  readonly scale: Vec3;
  readonly color: Rgba;
  readonly points: readonly Vec3[];
  readonly colors: readonly Rgba[];
  readonly text: string;
}

const EMPTY: Marker = {
  ns: '',
  id: 0,
  type: 0,
  action: ADD,
  position: [0, 0, 0],
  scale: [0, 0, 0],
  color: [0, 0, 0, 0],
  points: [],
  colors: [],
  text: '',
};

/** The whole picture of one state, DELETEALL first. */
export function buildMarkers(state: GraphState): readonly Marker[] {
  const entities = [...state.entities.values()];
  if (entities.length === 0) return [{ ...EMPTY, action: DELETE_ALL }];
  return [
    { ...EMPTY, action: DELETE_ALL },
    boxes(entities),
    centers(entities),
    ...relationLines(state),
    ...entities.map(label),
  ];
}

function boxes(entities: readonly Entity[]): Marker {
  const points = entities.flatMap(({ box }) => edgesOf(box));
  const colors = entities.flatMap((entity) => Array<Rgba>(EDGES.length * 2).fill(colorOf(entity)));
  const scale: Vec3 = [LINE_WIDTH_M, 0, 0];
  return { ...EMPTY, ns: 'box', type: LINE_LIST, scale, color: COLORS.object, points, colors };
}

function centers(entities: readonly Entity[]): Marker {
  const scale: Vec3 = [CENTER_DIAMETER_M, CENTER_DIAMETER_M, CENTER_DIAMETER_M];
  const points = entities.map(({ box }) => box.center);
  return {
    ...EMPTY,
    ns: 'center',
    type: SPHERE_LIST,
    scale,
    color: COLORS.object,
    points,
    colors: entities.map(colorOf),
  };
}

/** `on` and `inside` as lines between centres; `near` would only hide them. */
function relationLines(state: GraphState): readonly Marker[] {
  const points = [...state.relations.values()].flatMap(({ ref, relation, otherRef }) => {
    const from = state.entities.get(ref);
    const to = state.entities.get(otherRef);
    if (relation === 'near' || from === undefined || to === undefined) return [];
    return [from.box.center, to.box.center];
  });
  if (points.length === 0) return [];
  const scale: Vec3 = [LINE_WIDTH_M, 0, 0];
  return [{ ...EMPTY, ns: 'relation', type: LINE_LIST, scale, color: COLORS.relation, points }];
}

function label(entity: Entity): Marker {
  const [x, y, z] = entity.box.center;
  return {
    ...EMPTY,
    ns: `label/${parseRef(entity.ref)?.stem ?? entity.ref}`,
    // The number of a ref is never issued twice for its stem: stem and number are a stable key.
    id: parseRef(entity.ref)?.n ?? 0,
    type: TEXT_VIEW_FACING,
    position: [x, y, z + entity.box.size[2] / 2 + TEXT_HEIGHT_M],
    scale: [0, 0, TEXT_HEIGHT_M],
    color: COLORS.text,
    text: entity.ref,
  };
}

function colorOf(entity: Entity): Rgba {
  return entity.missing ? COLORS.missing : COLORS[entity.kind];
}

/** Pairs of corner numbers; bit 0 of a number is the x side, bit 1 y, bit 2 z. */
const EDGES: readonly (readonly [number, number])[] = [
  [0, 1], [2, 3], [4, 5], [6, 7],
  [0, 2], [1, 3], [4, 6], [5, 7],
  [0, 4], [1, 5], [2, 6], [3, 7],
]; // prettier-ignore

function edgesOf(box: Box): readonly Vec3[] {
  return EDGES.flatMap(([a, b]) => [cornerOf(box, a), cornerOf(box, b)]);
}

function cornerOf({ center, size, yaw }: Box, corner: number): Vec3 {
  const side = (bit: number): number => ((corner & bit) === 0 ? -0.5 : 0.5);
  const x = side(1) * size[0];
  const y = side(2) * size[1];
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return [center[0] + c * x - s * y, center[1] + s * x + c * y, center[2] + side(4) * size[2]];
}

/** visualization_msgs/MarkerArray as CDR, in the map frame and with graph time as stamp. */
export function writeMarkerArray(markers: readonly Marker[], state: GraphState): Buffer {
  const stamp = rosTimeFromStamp(state.graphTime ?? 0n);
  return new CdrWriter(64 * 1024)
    .sequence(markers, (writer, marker) => {
      writeTime(writer, stamp);
      writer.string(state.mapFrame);
      writeMarker(writer, marker);
    })
    .finish();
}

/** The fields of visualization_msgs/Marker behind its header, in their order; textures and meshes stay empty. */
function writeMarker(writer: CdrWriter, marker: Marker): void {
  const [x, y, z] = marker.position;
  writer.string(marker.ns).int32(marker.id).int32(marker.type).int32(marker.action);
  writePose(writer, { position: { x, y, z }, orientation: { x: 0, y: 0, z: 0, w: 1 } });
  writeVec3(writer, marker.scale);
  writeColor(writer, marker.color);
  // lifetime: for ever; frame_locked: no, the map frame does not move.
  writer.int32(0).uint32(0).bool(false);
  writer.sequence(marker.points, writeVec3).sequence(marker.colors, writeColor);
  // texture_resource, texture (CompressedImage), uv_coordinates
  writer.string('').int32(0).uint32(0).string('').string('').uint32(0).uint32(0);
  // text, mesh_resource, mesh_file (filename, data), mesh_use_embedded_materials
  writer.string(marker.text).string('').string('').uint32(0).bool(false);
}

function writeVec3(writer: CdrWriter, [x, y, z]: Vec3): void {
  writer.float64(x).float64(y).float64(z);
}

function writeColor(writer: CdrWriter, color: Rgba): void {
  for (const part of color) writer.float32(part);
}
