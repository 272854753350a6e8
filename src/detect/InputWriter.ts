import type { ColorImage } from '../camera/RgbdFrame.js';
import type { InputDescription } from './Description.js';
import type { PictureFit, SourceRect } from './fitPicture.js';

/** Neighbours and weight of each target pixel along one axis. */
interface Axis {
  readonly near: Int32Array;
  readonly far: Int32Array;
  readonly weight: Float32Array;
}

/**
 * Writes pictures as a network wants them: planes of float32 (3 × height × width), bilinear with pixel centres at
 * halves (as OpenCV's INTER_LINEAR; no smoothing before shrinking: the networks were trained so), normalised.
 */
export class InputWriter {
  readonly #factor: readonly number[];
  readonly #shift: readonly number[];
  readonly #sources: readonly number[];
  readonly #fill: readonly number[];
  #axes: { key: string; x: Axis; y: Axis } | undefined;

  constructor(input: InputDescription) {
    const mean = perChannel(input.mean);
    const std = perChannel(input.std);
    this.#sources = input.channels === 'rgb' ? [0, 1, 2] : [2, 1, 0];
    this.#factor = std.map((deviation) => input.scale / deviation);
    this.#shift = mean.map((value, channel) => -value / (std[channel] ?? 1));
    this.#fill = this.#factor.map((factor, channel) => input.fill * factor + (this.#shift[channel] ?? 0));
  }

  /** Writes the picture into its place and fills the rest; `target` holds 3 × inputHeight × inputWidth values. */
  writePicture(image: ColorImage, fit: PictureFit, target: Float32Array): void {
    const plane = fit.inputWidth * fit.inputHeight;
    if (fit.coveredWidth * fit.coveredHeight < plane)
      this.#fill.forEach((value, channel) => target.fill(value, channel * plane, (channel + 1) * plane));
    this.#write(image, { left: 0, top: 0, width: image.width, height: image.height }, fit, target);
  }

  /** Writes a part of the picture, pulled to the whole input. */
  writeCrop(
    image: ColorImage,
    rect: SourceRect,
    size: { width: number; height: number },
    target: Float32Array,
  ): void {
    this.#write(
      image,
      rect,
      {
        inputWidth: size.width,
        inputHeight: size.height,
        offsetX: 0,
        offsetY: 0,
        coveredWidth: size.width,
        coveredHeight: size.height,
      },
      target,
    );
  }

  // Perf-sensitive: 0.4 million pixels a frame, twelve bytes read for each.
  #write(image: ColorImage, rect: SourceRect, place: Place, target: Float32Array): void {
    const { x, y } = this.#axesFor(rect, place);
    const { data, width } = image;
    const plane = place.inputWidth * place.inputHeight;
    const [s0 = 0, s1 = 1, s2 = 2] = this.#sources;
    const [f0 = 1, f1 = 1, f2 = 1] = this.#factor;
    const [c0 = 0, c1 = 0, c2 = 0] = this.#shift;
    for (let row = 0; row < place.coveredHeight; row++) {
      const upper = y.near[row] * width * 3;
      const lower = y.far[row] * width * 3;
      const wy = y.weight[row];
      let to = (row + place.offsetY) * place.inputWidth + place.offsetX;
      for (let column = 0; column < place.coveredWidth; column++, to++) {
        const wx = x.weight[column];
        const near = x.near[column];
        const far = x.far[column];
        const w11 = wx * wy;
        const w10 = wy - w11;
        const w01 = wx - w11;
        const w00 = 1 - wx - w10;
        const a = upper + near;
        const b = upper + far;
        const c = lower + near;
        const d = lower + far;
        target[to] =
          (data[a + s0] * w00 + data[b + s0] * w01 + data[c + s0] * w10 + data[d + s0] * w11) * f0 + c0;
        target[to + plane] =
          (data[a + s1] * w00 + data[b + s1] * w01 + data[c + s1] * w10 + data[d + s1] * w11) * f1 + c1;
        target[to + 2 * plane] =
          (data[a + s2] * w00 + data[b + s2] * w01 + data[c + s2] * w10 + data[d + s2] * w11) * f2 + c2;
      }
    }
  }

  #axesFor(rect: SourceRect, place: Place): { x: Axis; y: Axis } {
    const key = [
      rect.left,
      rect.top,
      rect.width,
      rect.height,
      place.coveredWidth,
      place.coveredHeight,
    ].join();
    if (this.#axes?.key !== key)
      this.#axes = {
        key,
        x: axis(rect.left, rect.width, place.coveredWidth, 3),
        y: axis(rect.top, rect.height, place.coveredHeight, 1),
      };
    return this.#axes;
  }
}

type Place = Pick<
  PictureFit,
  'inputWidth' | 'inputHeight' | 'offsetX' | 'offsetY' | 'coveredWidth' | 'coveredHeight'
>;

/** `step`: what one pixel counts in the index. */
function axis(start: number, length: number, covered: number, step: number): Axis {
  const near = new Int32Array(covered);
  const far = new Int32Array(covered);
  const weight = new Float32Array(covered);
  for (let i = 0; i < covered; i++) {
    const at = Math.min(length - 1, Math.max(0, ((i + 0.5) * length) / covered - 0.5));
    const below = Math.floor(at);
    near[i] = (start + below) * step;
    far[i] = (start + Math.min(length - 1, below + 1)) * step;
    weight[i] = at - below;
  }
  return { near, far, weight };
}

function perChannel(value: number | readonly number[]): readonly number[] {
  return typeof value === 'number' ? [value, value, value] : value;
}
