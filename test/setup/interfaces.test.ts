import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  BRIEF_FRESHNESS,
  BRIEF_PROVENANCE,
  FRESHNESS,
  KNOWN_CONTAINER_STATES,
  PERCEPTION_STATES,
  REFUSAL_KINDS,
  RELATION_KINDS,
} from '../../src/protocol/words.js';
import { ROOT, readText } from './checkout.js';

/** The contract's messages: every field with its type, in order. */
const MESSAGES: Record<string, readonly string[]> = {
  RefusalKind: [],
  SceneGraphBrief: [
    'std_msgs/Header header',
    'string provenance',
    'string freshness',
    'uint32 revision',
    'string perception_state',
    'string perception_reason',
    'builtin_interfaces/Time blind_since',
    'SceneGraphObjectBrief[] objects',
    'SceneGraphRobotBrief robot',
  ],
  SceneGraphObjectBrief: [
    'string object_ref',
    'string label',
    'geometry_msgs/Point coarse_position',
    'float32 confidence',
    'string freshness',
    'builtin_interfaces/Time last_seen',
    'string container_state',
    'string[] contents',
  ],
  SceneGraphRobotBrief: [
    'bool pose_known',
    'geometry_msgs/Pose pose',
    'string[] holding',
    'string[] grippers',
  ],
  SceneGraphRelation: [
    'string relation',
    'string other_ref',
    'bool inverse',
    'bool distance_known',
    'float32 distance_m',
  ],
  VisualEvidence: [
    'string name',
    'string media_type',
    'uint8[] data',
    'string caption',
    'string freshness',
    'builtin_interfaces/Time stamp',
  ],
  SceneGraphObject: [
    'string object_ref',
    'string label',
    'float32 label_share',
    'float32 confidence',
    'geometry_msgs/Pose box_pose',
    'geometry_msgs/Vector3 box_size',
    'float32 position_sigma_m',
    'uint32 observations',
    'builtin_interfaces/Time first_seen',
    'builtin_interfaces/Time last_seen',
    'string freshness',
    'string position_freshness',
    'string label_freshness',
    'string container_state_freshness',
    'string contents_freshness',
    'string container_state',
    'string[] contents',
    'string support',
    'string[] aliases',
  ],
};

const ANSWER = ['bool success', 'string kind', 'string message'];
const CHANGED = ['string[] changed_refs', 'uint32 revision'];

/** The contract's services: fields of the request, and those of the answer after its common beginning. */
const SERVICES: Record<string, readonly [request: readonly string[], rest: readonly string[]]> = {
  GetBrief: [[], ['SceneGraphBrief brief', 'string text']],
  GetObjectRelations: [
    ['string object_ref', 'string relation'],
    ['string object_ref', 'SceneGraphRelation[] relations'],
  ],
  GetImage: [
    ['string object_ref', 'bool include_removed'],
    ['string object_ref', 'VisualEvidence[] images'],
  ],
  GetObject: [['string object_ref'], ['SceneGraphObject object']],
  FindObjects: [
    ['string label', 'string near_ref', 'float32 within_m', 'string freshness', 'uint32 limit'],
    ['SceneGraphObjectBrief[] objects'],
  ],
  ApplyExecution: [
    [
      'string execution_id',
      'string tool_name',
      'string arguments_json',
      'string result_json',
      'string evaluator_verdict_json',
      'builtin_interfaces/Time finished_at',
    ],
    ['bool applied', 'bool already_applied', ...CHANGED, 'string update_json'],
  ],
  Relabel: [['string object_ref', 'string label'], CHANGED],
  Merge: [['string keep_ref', 'string other_ref'], CHANGED],
  Forget: [['string object_ref', 'string why'], CHANGED],
  ExplainObject: [['string object_ref'], ['string explanation_json', 'string text']],
};

/** Which words of the contract are constants of which message, by the beginning of the constant's name. */
const WORDS: readonly (readonly [message: string, prefix: string, words: readonly string[]])[] = [
  ['RefusalKind', '', REFUSAL_KINDS],
  ['SceneGraphBrief', 'FRESHNESS_', BRIEF_FRESHNESS],
  ['SceneGraphBrief', 'PERCEPTION_', PERCEPTION_STATES],
  ['SceneGraphObjectBrief', 'FRESHNESS_', FRESHNESS],
  ['SceneGraphObjectBrief', 'CONTAINER_', KNOWN_CONTAINER_STATES],
  ['SceneGraphRelation', '', RELATION_KINDS],
];

/** Names that the Node client cannot carry in a message. */
const UNUSABLE_FIELDS = ['ref', 'toObject', 'toJSON', 'inspect'];

describe('the ROS interfaces', () => {
  it('are exactly the messages and services of the contract, and all of them are built', () => {
    const files = (folder: string): string[] => readdirSync(join(ROOT, folder)).sort();
    assert.deepEqual(files('msg'), sorted(Object.keys(MESSAGES).map((name) => `${name}.msg`)));
    assert.deepEqual(files('srv'), sorted(Object.keys(SERVICES).map((name) => `${name}.srv`)));
    const built = [...readText('CMakeLists.txt').matchAll(/^ {2}((?:msg|srv)\/\w+\.(?:msg|srv))$/gm)].map(
      (m) => m[1],
    );
    const there = [
      ...files('msg').map((name) => `msg/${name}`),
      ...files('srv').map((name) => `srv/${name}`),
    ];
    assert.deepEqual(built, there);
  });

  for (const [name, fields] of Object.entries(MESSAGES)) {
    it(`have in ${name}.msg the contract's fields, in order`, () => {
      assert.deepEqual(fieldsOf(readText(`msg/${name}.msg`)), fields);
    });
  }

  for (const [name, [request, rest]] of Object.entries(SERVICES)) {
    it(`have in ${name}.srv the contract's fields, and an answer that can refuse`, () => {
      const parts = readText(`srv/${name}.srv`).split(/^---$/m);
      assert.equal(parts.length, 2);
      assert.deepEqual(fieldsOf(parts[0]), request);
      assert.deepEqual(fieldsOf(parts[1]), [...ANSWER, ...rest]);
    });
  }

  for (const [message, prefix, words] of WORDS) {
    it(`spell the words of ${message}.msg${prefix && ` (${prefix}…)`} as the protocol does`, () => {
      const constants = constantsOf(readText(`msg/${message}.msg`)).filter(([key]) => key.startsWith(prefix));
      assert.deepEqual(new Map(constants), new Map(words.map((word) => [prefix + word.toUpperCase(), word])));
    });
  }

  it('name the provenance that every Brief carries', () => {
    const constants = new Map(constantsOf(readText('msg/SceneGraphBrief.msg')));
    assert.equal(constants.get('PROVENANCE'), BRIEF_PROVENANCE);
  });

  it('have no field that the Node client cannot carry', () => {
    const texts = interfaceFiles().map((path) => [path, readText(path)] as const);
    const unusable = texts.filter(([, text]) =>
      fieldsOf(text).some((field) => UNUSABLE_FIELDS.includes(field.split(' ')[1] ?? '')),
    );
    assert.deepEqual(unusable, []);
    assert.ok(texts.length > 20);
  });
});

function interfaceFiles(): string[] {
  return ['msg', 'srv', 'interfaces/tf2_msgs/msg', 'interfaces/vision_msgs/msg'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
  );
}

/** Lines of a message without comments, blank lines and constants, single spaces between the words. */
function fieldsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '' && line !== '---' && !line.includes('='));
}

function constantsOf(text: string): [name: string, value: string][] {
  return [...text.matchAll(/^string ([A-Z_]+)="([^"]*)"$/gm)].map((match) => [
    match[1] ?? '',
    match[2] ?? '',
  ]);
}

function sorted(names: string[]): string[] {
  return [...names].sort();
}
