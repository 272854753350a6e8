import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parameterSchema } from '../../src/pipeline/parameterDefinition.js';
import {
  defaultParameters,
  listParameters,
  parametersFromFlat,
  refuseParameter,
} from '../../src/pipeline/parameterSet.js';
import {
  matchesNode,
  parseParameterFile,
  parseParameterSections,
  strangersNote,
} from '../../src/pipeline/readParameterFile.js';

const NODE = '/rgbd_scene_graph';

describe('parameters', () => {
  it('have defaults that pass their own checks', () => {
    for (const { name, definition } of listParameters()) {
      assert.ok(parameterSchema(definition).safeParse(definition.default).success, name);
    }
  });

  it('each have a documented sentence, and names ROS accepts', () => {
    for (const { name, definition } of listParameters()) {
      assert.match(definition.description, /\S.*\.$/s, name);
      assert.match(name, /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, name);
    }
  });

  it('are reached nested by group and set by their ROS name', () => {
    assert.equal(defaultParameters().sync.maxIntervalS, 0.05);
    const { parameters, warnings } = parametersFromFlat({
      'sync.max_interval_s': 0.02,
      'input.transport': 'raw',
    });
    assert.equal(parameters.sync.maxIntervalS, 0.02);
    assert.equal(parameters.input.transport, 'raw');
    assert.equal(parameters.tf.waitS, 0.2);
    assert.deepEqual(warnings, []);
  });

  it('refuse a wrong value with name, expected and found', () => {
    assert.throws(() => parametersFromFlat({ 'sync.max_interval_s': 'fast' }), {
      name: 'ParameterError',
      message: 'sync.max_interval_s: expected a number in [0, 0.1] (s), found "fast"',
    });
    assert.throws(() => parametersFromFlat({ 'sync.max_interval_s': 0.5 }), /found 0\.5/);
    assert.throws(
      () => parametersFromFlat({ 'sync.queue_size': 2.5 }),
      /expected an integer in \[2, 1000\], found 2\.5/,
    );
    assert.throws(
      () => parametersFromFlat({ 'input.transport': 'theora' }),
      /one of auto, raw, compressed, found "theora"/,
    );
    assert.throws(
      () => parametersFromFlat({ cameras: [1] }),
      /cameras: expected a list of texts, found \[1\]/,
    );
    assert.throws(() => parametersFromFlat({ 'markers.enabled': 1 }), /expected true or false, found 1/);
  });

  it('name every wrong value at once', () => {
    assert.throws(
      () => parametersFromFlat({ 'tf.wait_s': -1, 'tf.cache_s': 0 }),
      /tf\.cache_s: .*; tf\.wait_s: /,
    );
  });

  it('report an unknown name with the nearest known one', () => {
    const { warnings } = parametersFromFlat({
      'sync.max_intervall_s': 0.02,
      wait_s: 1,
      'nothing.like.it.at.all': 1,
    });
    assert.deepEqual(warnings, [
      'unknown parameter sync.max_intervall_s; did you mean sync.max_interval_s?',
      'unknown parameter wait_s; did you mean tf.wait_s?',
      'unknown parameter nothing.like.it.at.all',
    ]);
  });

  it('take a table of free names from dotted names and from one object', () => {
    const dotted = parametersFromFlat({ 'grippers.left': 'left_tool', 'grippers.right': 'right_tool' });
    assert.deepEqual(dotted.parameters.grippers, { left: 'left_tool', right: 'right_tool' });
    assert.deepEqual(parametersFromFlat({ grippers: { left: 'left_tool' } }).parameters.grippers, {
      left: 'left_tool',
    });
    assert.throws(
      () => parametersFromFlat({ 'grippers.left': 3 }),
      /grippers: expected a table of name: text/,
    );
  });

  it('give the reason for a single refused change', () => {
    assert.equal(refuseParameter('tf.wait_s', 0.5), undefined);
    assert.equal(refuseParameter('tf.wait_s', 9), 'tf.wait_s: expected a number in [0, 5] (s), found 9');
    assert.equal(refuseParameter('tf.waits', 0.5), 'unknown parameter tf.waits; did you mean tf.wait_s?');
  });

  it('accept every number inside its range and none outside', () => {
    const numeric = listParameters().filter(({ definition }) => definition.type === 'double');
    fc.assert(
      fc.property(
        fc.constantFrom(...numeric),
        fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
        ({ name, definition }, value) => {
          if (definition.type !== 'double') return;
          const inside = value >= definition.range[0] && value <= definition.range[1];
          assert.equal(refuseParameter(name, value) === undefined, inside);
        },
      ),
    );
  });
});

describe('parameter files', () => {
  it('are read in the ROS form, nested or dotted', () => {
    const yaml =
      '/**:\n  ros__parameters:\n    sync:\n      max_interval_s: 0.01\n    tf.wait_s: 0.1\n    grippers: {left: tool}\n';
    assert.deepEqual(parseParameterFile(yaml, 'p.yaml', NODE), {
      'sync.max_interval_s': 0.01,
      'tf.wait_s': 0.1,
      grippers: { left: 'tool' },
    });
  });

  it('are read as a plain table too, and empty', () => {
    assert.deepEqual(parseParameterFile('sync: {queue_size: 5}', 'p.yaml', NODE), { 'sync.queue_size': 5 });
    assert.deepEqual(parseParameterFile('# nothing\n', 'p.yaml', NODE), {});
  });

  it('let later sections win and skip other nodes', () => {
    const yaml =
      '/**:\n  ros__parameters: {tf: {wait_s: 0.1, cache_s: 10}}\n' +
      'rgbd_scene_graph:\n  ros__parameters: {tf: {wait_s: 0.3}}\n' +
      'amcl:\n  ros__parameters: {tf: {wait_s: 4}}\n';
    assert.deepEqual(parseParameterFile(yaml, 'p.yaml', NODE), { 'tf.wait_s': 0.3, 'tf.cache_s': 10 });
  });

  it('are told of when all their sections are for other nodes', () => {
    const note = (yaml: string): string | undefined =>
      strangersNote(parseParameterSections(yaml, 'p.yaml'), NODE);
    const section = (key: string): string => `${key}:\n  ros__parameters: {tf: {wait_s: 4}}\n`;
    assert.match(note(section('scene_graph') + section('amcl')) ?? '', /\/scene_graph, \/amcl, not for \//);
    for (const yaml of [
      '',
      'tf: {wait_s: 4}',
      section('amcl') + section(NODE),
      section('amcl') + section('/**'),
    ])
      assert.equal(note(yaml), undefined, yaml);
  });

  it('match sections by the wildcard rules of rcl', () => {
    const cases: [string, string, boolean][] = [
      ['/**', '/a/b/node', true],
      ['node', '/node', true],
      ['node', '/a/node', false],
      ['/a/node', '/a/node', true],
      ['/*/node', '/a/node', true],
      ['/*/node', '/a/b/node', false],
      ['/**/node', '/a/b/node', true],
      ['/**/node', '/node', true],
      ['/a/**', '/a/b/node', true],
      ['/a/**', '/b/node', false],
    ];
    for (const [pattern, name, expected] of cases)
      assert.equal(matchesNode(pattern, name), expected, `${pattern} ${name}`);
  });

  it('refuse broken YAML with file and line', () => {
    assert.throws(() => parseParameterFile('a: 1\nb: [1, 2\n', 'p.yaml', NODE), /p\.yaml:[23]:\d+: /);
    assert.throws(() => parseParameterFile('- 1\n', 'p.yaml', NODE), /p\.yaml: expected a table/);
  });
});
