import type { Sharp } from 'sharp';
import { invalid } from '#contract/errors.ts';

/** More than any camera's picture, less than what would exhaust the memory once unpacked. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 2560;
const THUMB_SIDE = 320;
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'avif']);

export interface Image {
  full: Buffer;
  thumb: Buffer;
  width: number;
  height: number;
}

let queue: Promise<unknown> = Promise.resolve();

/** One picture at a time: unpacked they are large, and readers' requests come first. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}

const toWebp = (image: Sharp, side: number) =>
  image
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort: 4 })
    .toBuffer({ resolveWithObject: true });

/** Decodes whatever was sent and encodes it anew: what comes out is a picture and nothing else. */
export function readImage(content: Buffer): Promise<Image> {
  return inTurn(async () => {
    // Loaded at first use: a library of this size is not needed by a server at rest.
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    sharp.concurrency(1);
    const open = () => sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
    const info = await open()
      .metadata()
      .catch((error: unknown) => {
        throw tooManyPixels(error) ?? invalid('file', '无法识别的图片，请上传 JPG、PNG、WebP、GIF 或 AVIF');
      });
    if (!FORMATS.has(info.format))
      throw invalid('file', '不支持这种图片，请上传 JPG、PNG、WebP、GIF 或 AVIF');
    if (info.width * info.height > MAX_PIXELS) throw invalid('file', '图片的尺寸太大，请缩小后再上传');
    try {
      const full = await toWebp(open(), MAX_SIDE);
      const thumb = await toWebp(open(), THUMB_SIDE);
      return { full: full.data, thumb: thumb.data, width: full.info.width, height: full.info.height };
    } catch (error) {
      throw tooManyPixels(error) ?? invalid('file', '图片已损坏，无法读取');
    }
  });
}

const tooManyPixels = (error: unknown) =>
  error instanceof Error && /pixel limit/i.test(error.message)
    ? invalid('file', '图片的尺寸太大，请缩小后再上传')
    : null;
