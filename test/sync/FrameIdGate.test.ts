import assert from 'node:assert/strict';
import { FrameIdGate } from '../../src/sync/FrameIdGate.js';
import { at } from '../fixtures/goodPair.js';

describe('FrameIdGate', () => {
  it('C22 holds a stream for its first frame and names it to others', () => {
    const gate = new FrameIdGate();
    assert.equal(gate.refuse('left', at(10)), undefined);
    assert.equal(gate.refuse('right', at(10)), 'left');
    assert.equal(gate.refuse('left', at(10.1)), undefined);
  });

  it('gives the stream to another frame when the first has been silent for two seconds', () => {
    const gate = new FrameIdGate();
    gate.refuse('left', at(10));
    assert.equal(gate.refuse('right', at(11.9)), 'left');
    assert.equal(gate.refuse('right', at(12)), undefined);
    assert.equal(gate.refuse('left', at(12.1)), 'right');
  });
});
