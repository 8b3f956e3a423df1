import { zipSync } from 'fflate';
import type { Ink } from '../../drawing/landscape.ts';
import type { Caller } from '../../fair-queue.ts';
import type { Files } from '../../files.ts';
import type { TocEntry } from '../text/index.ts';
import { drawCover } from './book-cover.ts';
import {
  type BookFacts,
  type BookFile,
  container,
  style,
  toDocument,
  toNavigation,
  toPackage,
} from './book-parts.ts';
import { escapeXml, toXhtml } from './xhtml.ts';

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

interface BookPicture {
  file: BookFile;
  bytes: Buffer;
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

const XHTML = 'application/xhtml+xml';

function toText({ title, author, publisher, url }: BookContent, body: string): string {
  const name = escapeXml(publisher);
  const source = url === '' ? name : `<a href="${escapeXml(url)}">${name}</a>`;
  return toDocument(
    title,
    `<h1>${escapeXml(title)}</h1><p class="by">${escapeXml(author)} · ${source}</p>\n${body}`,
  );
}

/** An EPUB 3: the text, a cover, a table of contents, and nothing that is fetched from elsewhere. */
export async function makeBook(
  caller: Caller,
  files: Files,
  ink: Ink,
  content: BookContent,
): Promise<Buffer> {
  const pictures = await packPictures(files, content.html);
  const { body, ids } = toXhtml(content.html, {
    siteUrl: content.siteUrl,
    pageUrl: content.url,
    pictures: new Map([...pictures].map(([path, { file }]) => [path, file.href])),
  });
  const { title, author, publisher: site, cover } = content;
  const coverPicture = await drawCover(caller, files, ink, { title, author, site, cover });
  const texts: [BookFile, string][] = [
    [
      { id: 'cover', href: 'cover.xhtml', type: XHTML },
      toDocument(
        title,
        `<section epub:type="cover" class="cover"><img src="cover.jpg" alt="${escapeXml(title)}"/></section>`,
      ),
    ],
    [{ id: 'nav', href: 'nav.xhtml', type: XHTML, properties: 'nav' }, toNavigation(title, content.toc, ids)],
    [
      {
        id: 'text',
        href: 'text.xhtml',
        type: XHTML,
        ...(body.includes('<math ') ? { properties: 'mathml' } : {}),
      },
      toText(content, body),
    ],
    [{ id: 'style', href: 'style.css', type: 'text/css' }, style],
  ];
  const images: BookPicture[] = [
    {
      file: { id: 'cover-image', href: 'cover.jpg', type: 'image/jpeg', properties: 'cover-image' },
      bytes: coverPicture,
    },
    ...pictures.values(),
  ];
  const manifest = [...texts.map(([file]) => file), ...images.map(({ file }) => file)];
  const encode = (text: string) => new TextEncoder().encode(text);
  const stored = { level: 0 } as const;
  const zipped = zipSync(
    {
      // First and as it is: by this the format is known.
      mimetype: [encode('application/epub+zip'), stored],
      'META-INF/container.xml': encode(container),
      'EPUB/package.opf': encode(toPackage(content, manifest, ['cover', 'text'])),
      ...Object.fromEntries(texts.map(([{ href }, text]) => [`EPUB/${href}`, encode(text)])),
      ...Object.fromEntries(images.map(({ file, bytes }) => [`EPUB/${file.href}`, [bytes, stored] as const])),
    },
    { mtime: content.updatedAt },
  );
  return Buffer.from(zipped.buffer, zipped.byteOffset, zipped.byteLength);
}
