import { zipSync } from 'fflate';
import { move } from 'piscina';
import type { BookContent, BookPicture } from './book.ts';
import { type BookFile, bookStyle, containerXml, toDocument, toNavigation, toPackage } from './book-parts.ts';
import { escapeXml, toXhtml } from './xhtml.ts';

export interface BookJob {
  content: BookContent;
  /** By their paths on the site. */
  pictures: Map<string, BookPicture>;
  cover: Uint8Array;
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

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default function buildArchive({ content, pictures, cover }: BookJob): ReturnType<typeof move> {
  const { body, ids } = toXhtml(content.html, {
    siteUrl: content.siteUrl,
    pageUrl: content.url,
    pictures: new Map([...pictures].map(([path, { file }]) => [path, file.href])),
  });
  const { title } = content;
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
    [{ id: 'style', href: 'style.css', type: 'text/css' }, bookStyle],
  ];
  const images: BookPicture[] = [
    {
      file: { id: 'cover-image', href: 'cover.jpg', type: 'image/jpeg', properties: 'cover-image' },
      bytes: cover,
    },
    ...pictures.values(),
  ];
  const manifest = [...texts.map(([file]) => file), ...images.map(({ file }) => file)];
  const encode = (text: string) => new TextEncoder().encode(text);
  const stored = { level: 0 } as const;
  const zipped = zipSync(
    {
      // EPUB requires this entry to be first and uncompressed.
      mimetype: [encode('application/epub+zip'), stored],
      'META-INF/container.xml': encode(containerXml),
      'EPUB/package.opf': encode(toPackage(content, manifest, ['cover', 'text'])),
      ...Object.fromEntries(texts.map(([{ href }, text]) => [`EPUB/${href}`, encode(text)])),
      ...Object.fromEntries(images.map(({ file, bytes }) => [`EPUB/${file.href}`, [bytes, stored] as const])),
    },
    { mtime: content.updatedAt },
  );
  return move(zipped);
}
