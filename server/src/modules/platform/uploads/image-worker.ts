import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { ImageAnswer, ImageJob } from './images.ts';

/**
 * A process of its own for pictures from strangers: the native library that unpacks them may crash or take much
 * memory, and neither must be felt by readers.
 */

/** More than any camera's picture, less than what would exhaust the memory once unpacked. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 2560;
const MIDDLE_SIDE = 1080;
const THUMB_SIDE = 320;
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif']);

const UNKNOWN = '无法识别的图片，请上传 JPG、PNG、WebP、GIF 或 AVIF';
const TOO_MANY_PIXELS = '图片的尺寸太大，请缩小后再上传';
const BROKEN = '图片已损坏，无法读取';

// Readers' requests come first.
setPriority(10);
sharp.cache(false);
sharp.concurrency(1);

const toWebp = (image: Sharp, side: number) =>
  image
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort: 4 })
    .toBuffer({ resolveWithObject: true });

const reason = (error: unknown, otherwise: string) =>
  error instanceof Error && /pixel limit/i.test(error.message) ? TOO_MANY_PIXELS : otherwise;

/** Decodes whatever was sent and encodes it anew: what comes out is a picture and nothing else. */
async function convert({ content, isDrawing }: ImageJob): Promise<ImageAnswer> {
  const open = () => sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  let format: string;
  try {
    format = (await open().metadata()).format;
  } catch (error) {
    return { refused: reason(error, UNKNOWN) };
  }
  if (!FORMATS.has(format) && !(isDrawing && format === 'svg')) return { refused: UNKNOWN };
  try {
    const full = await toWebp(open(), MAX_SIDE);
    const thumb = await toWebp(open(), THUMB_SIDE);
    const { width, height } = full.info;
    const isLarge = Math.max(width, height) > MIDDLE_SIDE;
    const middle = isLarge ? (await toWebp(open(), MIDDLE_SIDE)).data : null;
    return { full: full.data, thumb: thumb.data, middle, width, height };
  } catch (error) {
    return { refused: reason(error, BROKEN) };
  }
}

process.on('message', (job: ImageJob) => {
  void convert(job).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
