import { outputSize, type Rect, type Rotation } from './crop-geometry.ts';

/** The server makes pictures no larger than this. */
const MAX_SIDE = 2560;
const MAX_BYTES = 9 * 1024 * 1024;

/** Draws the picture turned, with its upper left corner at the origin. Browsers honour the orientation of photos here. */
export function drawRotated(
  context: CanvasRenderingContext2D,
  image: HTMLImageElement,
  rotation: Rotation,
): void {
  const { naturalWidth: width, naturalHeight: height } = image;
  if (rotation === 90) context.translate(height, 0);
  if (rotation === 180) context.translate(width, height);
  if (rotation === 270) context.translate(0, width);
  context.rotate((rotation * Math.PI) / 180);
  context.drawImage(image, 0, 0);
}

interface CropOptions {
  rect: Rect;
  rotation: Rotation;
  /** The type of the original. */
  type: string;
}

const toBlob = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('canvas')) : resolve(blob)), type, 0.92),
  );

/** Photos become JPEG, other pictures PNG, which keeps transparency and sharp edges. */
export async function renderCrop(
  image: HTMLImageElement,
  { rect, rotation, type }: CropOptions,
): Promise<File> {
  const size = outputSize(rect, MAX_SIDE);
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('canvas');
  const scale = size.width / rect.width;
  context.imageSmoothingQuality = 'high';
  context.scale(scale, scale);
  context.translate(-rect.x, -rect.y);
  drawRotated(context, image, rotation);
  const first = await toBlob(canvas, type === 'image/jpeg' ? type : 'image/png');
  const blob = first.size <= MAX_BYTES ? first : await toBlob(canvas, 'image/jpeg');
  return new File([blob], `裁剪.${blob.type === 'image/jpeg' ? 'jpg' : 'png'}`, { type: blob.type });
}
