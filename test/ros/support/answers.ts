import fc from 'fast-check';
import type { BriefMessage } from '../../../src/ros/messages.js';

/** Arbitrary answers of the services, each field as far as its type goes. */

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
const real = fc.double({ noNaN: true });
const single = fc.float({ noNaN: true });
const time = fc.record({ sec: fc.integer({ min: 0 }), nanosec: fc.nat(999_999_999) });
const point = fc.record({ x: real, y: real, z: real });
const words = fc.array(word, { maxLength: 3 });
const object = fc.record({
  object_ref: word,
  label: word,
  coarse_position: point,
  confidence: single,
  freshness: word,
  last_seen: time,
  container_state: word,
  contents: words,
});
const orientation = fc.record({ x: real, y: real, z: real, w: real });
export const brief: fc.Arbitrary<BriefMessage> = fc.record({
  header: fc.record({ stamp: time, frame_id: word }),
  provenance: word,
  freshness: word,
  revision: fc.nat(),
  perception_state: word,
  perception_reason: word,
  blind_since: time,
  objects: fc.array(object, { maxLength: 5 }),
  robot: fc.record({
    pose_known: fc.boolean(),
    pose: fc.record({ position: point, orientation }),
    holding: words,
    grippers: words,
  }),
});
const view = fc.record({
  name: word,
  media_type: word,
  data: fc.uint8Array(),
  caption: word,
  freshness: word,
  stamp: time,
});
const head = { success: fc.constant(true), kind: word, message: word };

const relation = fc.record({
  relation: word,
  other_ref: word,
  inverse: fc.boolean(),
  distance_known: fc.boolean(),
  distance_m: single,
});

export const briefAnswer = fc.record({ ...head, brief, text: word });

export const imageAnswer = fc.record({
  ...head,
  object_ref: word,
  images: fc.array(view, { maxLength: 3 }),
});

export const relationsAnswer = fc.record({
  ...head,
  object_ref: word,
  relations: fc.array(relation, { maxLength: 4 }),
});

export const objectAnswer = fc.record({
  ...head,
  object: fc.record({
    object_ref: word,
    label: word,
    label_share: single,
    confidence: single,
    box_pose: fc.record({ position: point, orientation }),
    box_size: point,
    position_sigma_m: single,
    observations: fc.nat(),
    first_seen: time,
    last_seen: time,
    freshness: word,
    position_freshness: word,
    label_freshness: word,
    container_state_freshness: word,
    contents_freshness: word,
    container_state: word,
    contents: words,
    support: word,
    aliases: words,
  }),
});

export const findAnswer = fc.record({ ...head, objects: fc.array(object, { maxLength: 5 }) });

export const executionAnswer = fc.record({
  ...head,
  applied: fc.boolean(),
  already_applied: fc.boolean(),
  changed_refs: words,
  revision: fc.nat(),
  update_json: word,
});
