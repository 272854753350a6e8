import type { Rgb, Texture } from './Scene.js';

/** Pseudo-random value in [0, 1) of an integer place: the same each time, without a table. */
export function hash2(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Value noise in [0, 1), smooth between integer places. */
export function smoothNoise(x: number, y: number, seed: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const top = hash2(x0, y0, seed) * (1 - sx) + hash2(x0 + 1, y0, seed) * sx;
  const bottom = hash2(x0, y0 + 1, seed) * (1 - sx) + hash2(x0 + 1, y0 + 1, seed) * sx;
  return top * (1 - sy) + bottom * sy;
}

/** Writes linear r, g, b (0…1) of a texture at (a, b) metres on a face into `out`. */
export function textureColor(texture: Texture, a: number, b: number, out: Float64Array): void {
  switch (texture.kind) {
    case 'plain':
      return setColor(out, texture.color, 1);
    case 'checker': {
      const odd = (Math.floor(a / texture.sizeM) + Math.floor(b / texture.sizeM)) & 1;
      return setColor(out, texture.colors[odd as 0 | 1], 1);
    }
    case 'stripes':
      return setColor(out, texture.colors[(Math.floor(b / texture.sizeM) & 1) as 0 | 1], 1);
    case 'wood': {
      const wave = smoothNoise(a * 3, b * 22, 3) * 0.6 + smoothNoise(a * 11, b * 110, 5) * 0.4;
      return setColor(out, texture.color, 0.74 + 0.42 * wave);
    }
    case 'print': {
      const x = Math.floor(a / texture.sizeM);
      const y = Math.floor(b / (texture.sizeM * 0.6));
      const isInk = hash2(x >> 1, y, texture.seed) < 0.28;
      return setColor(out, texture.colors[isInk ? 1 : 0], 0.92 + 0.16 * hash2(x, y, texture.seed + 7));
    }
  }
}

/** A square stands in for the sRGB curve: close enough for a picture, and cheap. */
function setColor(out: Float64Array, color: Rgb, gain: number): void {
  for (let i = 0; i < 3; i++) {
    const value = color[i] / 255;
    out[i] = value * value * gain;
  }
}
