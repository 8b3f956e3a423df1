import type { Ink } from '../../../drawing/landscape.ts';
import type { Files } from '../../../files/files.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreads } from '../../../threads/threads.ts';
import type { TocEntry } from '../../platform/text/index.ts';
import { drawCover } from './book-cover.ts';
import type { BookFacts, BookFile } from './book-parts.ts';
import type { BookJob } from './book-worker.ts';

export interface BookContent extends BookFacts {
  cover: string;
  html: string;
  toc: readonly TocEntry[];
  siteUrl: string;
}

const PICTURE = / src="(\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.\w{2,5})"/g;
const MAX_SIDE = 1600;
/** Of all its pictures; further ones are named only. */
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_PICTURES = 100;

export interface BookPicture {
  file: BookFile;
  bytes: Uint8Array;
}

/** In a format that every reader knows; null when it is gone. */
async function packPicture(files: Files, path: string, number: number): Promise<BookPicture | null> {
  try {
    const { default: sharp } = await import('sharp');
    const image = sharp(await files.readWhole(path));
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

/** One after the other: unpacked they are large. The first that has no room is the last to be looked at. */
async function packPictures(files: Files, html: string): Promise<Map<string, BookPicture>> {
  const packed = new Map<string, BookPicture>();
  let room = MOST_BYTES;
  const paths = new Set([...html.matchAll(PICTURE)].map(([, path = '']) => path));
  for (const path of [...paths].slice(0, MOST_PICTURES)) {
    const picture = await packPicture(files, path, packed.size + 1);
    if (picture === null) continue;
    if (picture.bytes.length > room) break;
    room -= picture.bytes.length;
    packed.set(path, picture);
  }
  return packed;
}

const inThread = createThreads<BookJob, Uint8Array>({
  file: new URL('./book-worker.ts', import.meta.url),
  memoryMb: 256,
  idleMs: 60_000,
  timeoutMs: 20_000,
  maxWaiting: 20,
  maxWaitingPerCaller: 3,
  busyMessage: '正在生成的电子书太多，请稍后再试',
});

/** An EPUB 3: the text, a cover, a table of contents, and nothing that is fetched from elsewhere. */
export async function makeBook(
  caller: Caller,
  files: Files,
  ink: Ink,
  content: BookContent,
): Promise<Buffer> {
  const pictures = await packPictures(files, content.html);
  const { title, author, publisher: site } = content;
  const cover = await drawCover(caller, files, ink, { title, author, site, cover: content.cover });
  const zipped = await inThread(caller, { content, pictures, cover });
  return Buffer.from(zipped.buffer, zipped.byteOffset, zipped.byteLength);
}
