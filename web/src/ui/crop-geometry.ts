export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Size {
  x: number;
  y: number;
}

export type Rotation = 0 | 90 | 180 | 270;

/** What part of the picture is chosen: its centre in the rotated picture, and how much it is enlarged. */
export interface CropView {
  rotation: Rotation;
  /** 1: the largest part that fits the shape. */
  zoom: number;
  x: number;
  y: number;
}

export const MAX_ZOOM = 8;

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), Math.max(min, max));

export const rotatedSize = ({ width, height }: Size, rotation: Rotation): Size =>
  rotation % 180 === 0 ? { width, height } : { width: height, height: width };

export const initialView = ({ width, height }: Size): CropView => ({
  rotation: 0,
  zoom: 1,
  x: width / 2,
  y: height / 2,
});

/** The chosen part in pixels of the rotated picture; always inside it. `aspect` is width by height. */
export function cropRect(picture: Size, aspect: number, view: CropView): Rect {
  const size = rotatedSize(picture, view.rotation);
  const base = Math.min(size.width, size.height * aspect);
  const width = base / clamp(view.zoom, 1, MAX_ZOOM);
  const height = width / aspect;
  return {
    x: clamp(view.x - width / 2, 0, size.width - width),
    y: clamp(view.y - height / 2, 0, size.height - height),
    width,
    height,
  };
}

/** Keeps the centre where the part is inside the picture, so that the next movement has an effect at once. */
export function settle(picture: Size, aspect: number, view: CropView): CropView {
  const { x, y, width, height } = cropRect(picture, aspect, view);
  return { ...view, zoom: clamp(view.zoom, 1, MAX_ZOOM), x: x + width / 2, y: y + height / 2 };
}

/** A quarter turn clockwise; the centre shows the same point of the picture. */
export function rotateView(picture: Size, view: CropView): CropView {
  const { height } = rotatedSize(picture, view.rotation);
  return { ...view, rotation: ((view.rotation + 90) % 360) as Rotation, x: height - view.y, y: view.x };
}

/** The size of the new picture, at most `maxSide` long. */
export function outputSize({ width, height }: Size, maxSide: number): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
