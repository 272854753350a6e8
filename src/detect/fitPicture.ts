import type { InputDescription } from './Description.js';

/** A rectangle of a picture, in pixels: what is given to a network. */
export interface SourceRect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where a picture lies in a network's input: input pixel = picture pixel × scale + offset. */
export interface PictureFit {
  readonly inputWidth: number;
  readonly inputHeight: number;
  /** Size of the whole picture, to which boxes are cut. */
  readonly pictureWidth: number;
  readonly pictureHeight: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly offsetX: number;
  readonly offsetY: number;
  /** The part of the input that the picture covers, whole pixels. */
  readonly coveredWidth: number;
  readonly coveredHeight: number;
}

export function fitPicture(picture: { width: number; height: number }, input: InputDescription): PictureFit {
  const { width, height, fit, anchor } = input;
  const r = Math.min(height / picture.height, width / picture.width);
  const letterbox = fit === 'letterbox';
  const coveredWidth = letterbox ? Math.max(1, Math.min(width, Math.round(picture.width * r))) : width;
  const coveredHeight = letterbox ? Math.max(1, Math.min(height, Math.round(picture.height * r))) : height;
  const centered = anchor === 'center';
  return {
    inputWidth: width,
    inputHeight: height,
    pictureWidth: picture.width,
    pictureHeight: picture.height,
    scaleX: coveredWidth / picture.width,
    scaleY: coveredHeight / picture.height,
    offsetX: centered ? Math.floor((width - coveredWidth) / 2) : 0,
    offsetY: centered ? Math.floor((height - coveredHeight) / 2) : 0,
    coveredWidth,
    coveredHeight,
  };
}
