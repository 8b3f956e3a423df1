import type { LandscapeShapes } from '../../../drawing/landscape.ts';
import type { FileStore } from '../../../files/files.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreadQueue } from '../../../threads/threads.ts';
import type { TocEntry } from '../../platform/text/index.ts';
import { drawCover } from './book-cover.ts';
import type { BookFile, BookMetadata } from './book-parts.ts';
import type { BookJob } from './book-worker.ts';

export interface BookContent extends BookMetadata {
  cover: string;
  html: string;
  /** SVG of diagrams by path on the site; those that `html` does not contain are left out. */
  drawings: ReadonlyMap<string, string>;
  toc: readonly TocEntry[];
  siteUrl: string;
}

const PICTURE = / src="(\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.\w{2,5})"/g;
const MAX_SIDE = 1600;
/** Total size of the pictures; for further ones only the alternative text is included. */
const MAX_PICTURE_BYTES = 24 * 1024 * 1024;
const MAX_PICTURES = 100;

export interface BookPicture {
  file: BookFile;
  bytes: Uint8Array;
}

/** SVG is kept, because e-book readers show it sharp at any size. */
const toDrawings = ({ drawings, html }: BookContent): [string, BookPicture][] =>
  [...drawings]
    .filter(([path]) => html.includes(path))
    .map(([path, svg], index) => [
      path,
      {
        bytes: Buffer.from(svg),
        file: { id: `drawing-${index + 1}`, href: `images/drawing-${index + 1}.svg`, type: 'image/svg+xml' },
      },
    ]);

/** Converts to JPEG or PNG, which every e-book reader supports. Returns null if the file is missing. */
async function packPicture(files: FileStore, path: string, number: number): Promise<BookPicture | null> {
  try {
    const { default: sharp } = await import('sharp');
    const image = sharp(await files.readBuffer(path));
    const { hasAlpha } = await image.metadata();
    const small = image.resize({
      width: MAX_SIDE,
      height: MAX_SIDE,
      fit: 'inside',
      withoutEnlargement: true,
    });
    const bytes = await (hasAlpha ? small.png() : small.jpeg({ quality: 85 })).toBuffer();
    const [type, end] = hasAlpha ? ['image/png', 'png'] : ['image/jpeg', 'jpg'];
    return { bytes, file: { id: `picture-${number}`, href: `images/${number}.${end}`, type } };
  } catch {
    return null;
  }
}

/** Sequential, because decoded pictures are large. Stops at the first picture that exceeds the limit. */
async function packPictures(files: FileStore, html: string): Promise<Map<string, BookPicture>> {
  const packed = new Map<string, BookPicture>();
  let remainingBytes = MAX_PICTURE_BYTES;
  const paths = new Set([...html.matchAll(PICTURE)].map(([, path = '']) => path));
  for (const path of [...paths].slice(0, MAX_PICTURES)) {
    const picture = await packPicture(files, path, packed.size + 1);
    if (picture === null) continue;
    if (picture.bytes.length > remainingBytes) break;
    remainingBytes -= picture.bytes.length;
    packed.set(path, picture);
  }
  return packed;
}

const runInWorker = createThreadQueue<BookJob, Uint8Array>({
  file: new URL('./book-worker.ts', import.meta.url),
  memoryMb: 256,
  idleMs: 60_000,
  timeoutMs: 20_000,
  maxWaiting: 20,
  maxWaitingPerCaller: 3,
  busyMessage: '正在生成的电子书太多，请稍后再试',
});

/** Builds a self-contained EPUB 3 with a cover and a table of contents. */
export async function buildBook(
  caller: Caller,
  files: FileStore,
  landscapeShapes: LandscapeShapes,
  content: BookContent,
): Promise<Buffer> {
  const pictures = new Map([...(await packPictures(files, content.html)), ...toDrawings(content)]);
  const { title, author, publisher: site } = content;
  const cover = await drawCover(caller, files, landscapeShapes, {
    title,
    author,
    site,
    cover: content.cover,
  });
  const zipped = await runInWorker(caller, { content, pictures, cover });
  return Buffer.from(zipped.buffer, zipped.byteOffset, zipped.byteLength);
}
