import assert from 'node:assert/strict';
import type { InputMessage } from '../../src/input/messages.js';
import { FrameDrop } from '../../src/pipeline/FrameDrop.js';
import type { DropPattern } from '../../src/pipeline/FrameDrop.js';

const picture = (kind: 'color' | 'depth', camera = ''): InputMessage => ({
  kind,
  camera,
  image: {
    stamp: 0n,
    frameId: '',
    width: 0,
    height: 0,
    encoding: '',
    isBigEndian: false,
    step: 0,
    data: new Uint8Array(),
  },
});

describe('dropping frames', () => {
  const kept = (pattern: DropPattern | undefined): number[] => {
    const drop = new FrameDrop(pattern);
    return Array.from({ length: 8 }, (_, i) => i).filter(() => !drop.leavesOut(picture('depth')));
  };

  it('leaves out the odd, the even or every fourth frame', () => {
    assert.deepEqual(kept('odd'), [0, 2, 4, 6]);
    assert.deepEqual(kept('even'), [1, 3, 5, 7]);
    assert.deepEqual(kept('fourth'), [0, 1, 2, 4, 5, 6]);
    assert.deepEqual(kept(undefined), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('counts each camera for itself and leaves everything but depth alone', () => {
    const drop = new FrameDrop('odd');
    const left = [
      picture('depth', 'front'),
      picture('color', 'front'),
      picture('depth', 'rear'),
      picture('depth', 'front'),
      picture('depth', 'rear'),
    ].map((message) => drop.leavesOut(message));
    assert.deepEqual(left, [false, false, false, true, true]);
  });
});
