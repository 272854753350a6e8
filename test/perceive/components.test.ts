import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CloudGrid } from '../../src/perceive/CloudGrid.js';
import { findComponents } from '../../src/perceive/components.js';
import { cellAt, downPicture, gridOf, inRectangle } from '../fixtures/heightField.js';
import { defaultPerception } from '../fixtures/tableLook.js';

const COMPONENTS = defaultPerception().components;
type Rectangle = readonly [number, number, number, number];

/** Blocks of 10 cm height seen from above, nothing measured between them. */
function blocks(...rectangles: readonly Rectangle[]): CloudGrid {
  const heightAt = (x: number, y: number): number =>
    rectangles.some((rectangle) => inRectangle(x, y, rectangle)) ? 0.1 : NaN;
  return gridOf(downPicture(heightAt));
}

function find(grid: CloudGrid): Int32Array[] {
  return findComponents(grid, COMPONENTS);
}

function pieceAt(grid: CloudGrid, pieces: readonly Int32Array[], x: number, y: number): number {
  return pieces.findIndex((piece) => piece.includes(cellAt(grid, x, y, 0.1)));
}

describe('findComponents', () => {
  it('tells two things apart that do not touch, largest first', () => {
    const pieces = find(blocks([-0.2, 0, 0.1, 0.1], [0.1, 0, 0.15, 0.15]));
    assert.equal(pieces.length, 2);
    assert.ok(pieces[0].length > pieces[1].length);
  });

  it('tells two things apart in the picture’s plane that stand one behind the other', () => {
    const grid = gridOf(
      downPicture((x, y) => (inRectangle(x, y, [0, 0, 0.3, 0.2]) ? (x > 0 ? 0.1 : 0.02) : NaN)),
    );
    assert.equal(find(grid).length, 2);
  });

  it('keeps what goes on without a step in one piece', () => {
    const slanted = downPicture((x, y) => (inRectangle(x, y, [0, 0, 0.3, 0.3]) ? 0.5 * x : NaN));
    assert.equal(find(gridOf(slanted)).length, 1);
  });

  //   ┌──────┐   ┌──────┐
  //   │      ├───┤      │   a thread of flying pixels between two wide things
  //   └──────┘   └──────┘
  it('parts wide things that only a thread of cells joins', () => {
    const grid = blocks([-0.22, 0, 0.36, 0.2], [0.22, 0, 0.36, 0.2], [0, 0, 0.1, 0.006]);
    const pieces = find(grid);
    assert.equal(pieces.length, 2);
    assert.notEqual(pieceAt(grid, pieces, -0.2, 0.05), pieceAt(grid, pieces, 0.2, 0.05));
  });

  it('gives the rim that parting takes off back to the part it borders', () => {
    const grid = blocks([-0.22, 0, 0.36, 0.2], [0.22, 0, 0.36, 0.2], [0, 0, 0.1, 0.006]);
    const pieces = find(grid);
    const measured = grid.depth.reduce((n, d) => n + (d > 0 ? 1 : 0), 0);
    const kept = pieces.reduce((n, piece) => n + piece.length, 0);
    assert.ok(kept > 0.98 * measured, `${kept} of ${measured}`);
  });

  it('does not part what is narrow, thread or not', () => {
    assert.equal(find(blocks([-0.1, 0, 0.1, 0.1], [0.1, 0, 0.1, 0.1], [0, 0, 0.12, 0.006])).length, 1);
  });

  it('leaves out specks and what belongs to structure', () => {
    assert.deepEqual(find(blocks([0, 0, 0.01, 0.01])), []);
    const grid = blocks([-0.2, 0, 0.1, 0.1], [0.1, 0, 0.15, 0.15]);
    grid.owner.set(grid.x.map((x) => (x < 0 ? 3 : 0)));
    assert.equal(find(grid).length, 1);
  });

  it('puts no cell into two pieces, none of structure into any, and gives the same answer twice', () => {
    const rectangle = fc.tuple(
      fc.double({ min: -0.5, max: 0.5, noNaN: true }),
      fc.double({ min: -0.35, max: 0.35, noNaN: true }),
      fc.double({ min: 0.02, max: 0.5, noNaN: true }),
      fc.double({ min: 0.02, max: 0.4, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(rectangle, { minLength: 1, maxLength: 6 }), (rectangles) => {
        const grid = blocks(...rectangles);
        const { owner } = grid;
        owner.forEach((_, i) => (owner[i] = i % 7 === 0 ? 1 : 0));
        const pieces = find(grid).map((piece) => piece.slice());
        const seen = new Set<number>();
        for (const piece of pieces) {
          assert.ok(piece.length >= COMPONENTS.minCells);
          for (const i of piece) {
            assert.ok(!seen.has(i) && owner[i] === 0 && grid.depth[i] > 0);
            seen.add(i);
          }
        }
        assert.deepEqual(find(grid), pieces);
      }),
      { numRuns: 15 },
    );
  });
});
