import assert from 'node:assert/strict';
import { parseEffectsTable } from '../../src/graph/effectsTable.js';
import { shippedEffects } from '../fixtures/graphStates.js';

function errorOf(text: string): string {
  try {
    parseEffectsTable(text, 'effects.yaml');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
}

describe('parseEffectsTable', () => {
  it('reads the table that is shipped', () => {
    const table = shippedEffects();
    for (const tool of ['pick', 'grasp', 'place', 'put_down', 'release']) {
      assert.ok(table.has(tool), tool);
    }
    assert.deepEqual(
      table.get('take_out')?.map(({ effect }) => effect),
      ['take_out', 'hold'],
    );
  });

  it('names file, line and field of a mistake', () => {
    const head = 'tools:\n  pick:\n    - effect: hold\n';
    assert.match(
      errorOf(`${head}      ref: obj\n`),
      /^effects\.yaml:4: tools\.pick\[0\]\.ref: must be a path/,
    );
    assert.match(
      errorOf(`${head}      ref: arguments.obj\n      reff: x\n`),
      /^effects\.yaml:5: .*reff: is not a known field/,
    );
    assert.match(errorOf(head), /^effects\.yaml:3: tools\.pick\[0\]\.ref: /);
    assert.match(
      errorOf('tools:\n  pick:\n    - effect: jump\n'),
      /^effects\.yaml:3: tools\.pick\[0\]\.effect: /,
    );
    assert.match(errorOf('tools:\n  pick: []\n'), /^effects\.yaml:2: tools\.pick: /);
    assert.match(errorOf('tool:\n  pick: []\n'), /^effects\.yaml:1: /);
    assert.match(errorOf('tools:\n  pick: [\n'), /^effects\.yaml:\d: /);
    assert.match(errorOf('tools:\n  a: 1\n  a: 2\n'), /^effects\.yaml:3: /);
    assert.match(errorOf(''), /^effects\.yaml:1: the file: /);
  });
});
