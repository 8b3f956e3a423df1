import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { ImageJob, ImageResult } from './images.ts';

/**
 * Child process that decodes untrusted pictures, because the native library may crash or use much memory, which must
 * not affect the server.
 */

/** Larger than photos of any camera, but small enough to be decoded in memory. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 2560;
const MIDDLE_SIDE = 1080;
const THUMB_SIDE = 320;
/** More than the largest photo needs. A small SVG can refer to content that takes all memory of the machine. */
const MAX_MEMORY_BYTES = 1024 ** 3;
const MEMORY_CHECK_MS = 50;
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif']);

const UNKNOWN = '无法识别的图片，请上传 JPG、PNG、WebP、GIF 或 AVIF';
const TOO_MANY_PIXELS = '图片的尺寸太大，请缩小后再上传';
const BROKEN = '图片已损坏，无法读取';

// Lower priority than the server process.
setPriority(10);
sharp.cache(false);
sharp.concurrency(1);

const toWebp = (image: Sharp, side: number) =>
  image
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort: 4 })
    .toBuffer({ resolveWithObject: true });

const errorMessageOf = (error: unknown, otherwise: string) =>
  error instanceof Error && /pixel limit/i.test(error.message) ? TOO_MANY_PIXELS : otherwise;

/** Re-encodes the picture, which removes metadata and anything hidden in the file. */
async function convert({ content, isGenerated, allowsSvg = false }: ImageJob): Promise<ImageResult> {
  const open = () => sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  let format: string;
  try {
    format = (await open().metadata()).format;
  } catch (error) {
    return { errorMessage: errorMessageOf(error, UNKNOWN) };
  }
  if (!FORMATS.has(format) && !((isGenerated || allowsSvg) && format === 'svg'))
    return { errorMessage: UNKNOWN };
  try {
    const full = await toWebp(open(), MAX_SIDE);
    const thumb = await toWebp(open(), THUMB_SIDE);
    const { width, height } = full.info;
    const isLarge = Math.max(width, height) > MIDDLE_SIDE;
    const middle = isLarge ? (await toWebp(open(), MIDDLE_SIDE)).data : null;
    return { full: full.data, thumb: thumb.data, middle, width, height };
  } catch (error) {
    return { errorMessage: errorMessageOf(error, BROKEN) };
  }
}

process.on('message', (job: ImageJob) => {
  void convert(job).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
setInterval(() => {
  // An orderly exit would wait for the thread that is decoding.
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.kill(process.pid, 'SIGKILL');
}, MEMORY_CHECK_MS).unref();
