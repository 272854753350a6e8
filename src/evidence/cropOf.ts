import type { ColorImage } from '../camera/RgbdFrame.js';
import type { PixelRect } from '../perceive/observations.js';

/** Tightly packed rgb8 of a part of a picture. */
export interface Crop {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A rectangle's pixels, copied: while it waits for the encoder nothing else of its frame need be kept. */
export function cropOf(image: ColorImage, rect: PixelRect): Crop {
  const width = rect.u1 - rect.u0;
  const height = rect.v1 - rect.v0;
  const pixels = new Uint8Array(width * height * 3);
  for (let v = rect.v0; v < rect.v1; v++) {
    const from = (v * image.width + rect.u0) * 3;
    pixels.set(image.data.subarray(from, from + width * 3), (v - rect.v0) * width * 3);
  }
  return { pixels, width, height };
}
