import fc from 'fast-check';
import {
  BRIEF_FRESHNESS,
  BRIEF_PROVENANCE,
  FRESHNESS,
  KNOWN_CONTAINER_STATES,
  PERCEPTION_STATES,
  type Brief,
  type ObjectBrief,
} from '../../src/protocol/index.js';

/** Valid Briefs of every shape: parts present and absent, refs unique, numbers finite. */

export const arbitraryRef = fc
  .tuple(
    fc.constantFrom('cup', 'box', 'table', 'coffee_mug', 'a1', 'object'),
    fc.integer({ min: 1, max: 999 }),
  )
  .map(([stem, n]) => `${stem}_${n}`);

const finite = fc.double({ min: -1e3, max: 1e3, noNaN: true }).map((value) => value + 0);
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const refs = fc.uniqueArray(arbitraryRef, { minLength: 1, maxLength: 4 });

const arbitraryObject: fc.Arbitrary<ObjectBrief> = fc.record(
  {
    ref: arbitraryRef,
    freshness: fc.constantFrom(...FRESHNESS),
    coarsePosition: fc.array(finite, { minLength: 2, maxLength: 4 }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    label: fc.constantFrom('mug', 'cup', 'dinner plate'),
    lastSeen: time,
    containerState: fc.constantFrom(...KNOWN_CONTAINER_STATES),
    contents: refs,
  },
  { noNullPrototype: true, requiredKeys: ['ref', 'freshness'] },
);

export const arbitraryBrief: fc.Arbitrary<Brief> = fc.record(
  {
    objects: fc.uniqueArray(arbitraryObject, { selector: ({ ref }) => ref, maxLength: 12 }),
    robot: fc.record(
      { pose: fc.array(finite, { minLength: 4, maxLength: 4 }), holding: refs },
      { noNullPrototype: true, requiredKeys: [] },
    ),
    freshness: fc.constantFrom(...BRIEF_FRESHNESS),
    provenance: fc.constant(BRIEF_PROVENANCE),
    coordinateFrame: fc.constantFrom('map', 'odom'),
    updatedAt: time,
    revision: fc.integer({ min: 0, max: 0xffffffff }),
    perception: fc.record(
      { state: fc.constantFrom(...PERCEPTION_STATES), reason: fc.constant('no depth'), blindSince: time },
      { noNullPrototype: true, requiredKeys: ['state'] },
    ),
  },
  {
    noNullPrototype: true,
    requiredKeys: [
      'objects',
      'robot',
      'freshness',
      'provenance',
      'coordinateFrame',
      'revision',
      'perception',
    ],
  },
);
