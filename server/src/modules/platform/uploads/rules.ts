import { invalidField } from '@mozhan/contract/errors.ts';
import { trimEnd } from '@mozhan/contract/text-scan.ts';

const MAX_NAME_LENGTH = 100;
const MAX_INPUT_LENGTH = 1000;

const hasBytesAt =
  (offset: number, ...bytes: (string | number)[]) =>
  (head: Buffer): boolean => {
    const expected = Buffer.concat(
      bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))),
    );
    return head.subarray(offset, offset + expected.length).equals(expected);
  };
type Check = (head: Buffer) => boolean;
const anyCheck =
  (...checks: Check[]): Check =>
  (head) =>
    checks.some((check) => check(head));

const zip = hasBytesAt(0, 'PK\x03\x04');
const mpeg4 = hasBytesAt(4, 'ftyp');
const riff =
  (kind: string): Check =>
  (head) =>
    hasBytesAt(0, 'RIFF')(head) && hasBytesAt(8, kind)(head);

/** Content that a browser might sniff as HTML or SVG. */
const MARKUP = /^\s*<(!doctype|html|head|body|svg|script|iframe|\?xml|!--)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: detects binary content
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Accepts any encoding, for example CSV files in GBK. */
const isText: Check = (head) => {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return !BINARY.test(text) && !MARKUP.test(text);
};

const typesByExtension: Record<string, readonly [type: string, check: Check]> = {
  pdf: ['application/pdf', hasBytesAt(0, '%PDF-')],
  zip: ['application/zip', anyCheck(zip, hasBytesAt(0, 'PK\x05\x06'))],
  '7z': ['application/x-7z-compressed', hasBytesAt(0, '7z', 0xbc, 0xaf, 0x27, 0x1c)],
  rar: ['application/vnd.rar', hasBytesAt(0, 'Rar!', 0x1a, 0x07)],
  gz: ['application/gzip', hasBytesAt(0, 0x1f, 0x8b)],
  tgz: ['application/gzip', hasBytesAt(0, 0x1f, 0x8b)],
  xz: ['application/x-xz', hasBytesAt(0, 0xfd, '7zXZ', 0)],
  bz2: ['application/x-bzip2', hasBytesAt(0, 'BZh')],
  zst: ['application/zstd', hasBytesAt(0, 0x28, 0xb5, 0x2f, 0xfd)],
  tar: ['application/x-tar', hasBytesAt(257, 'ustar')],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', zip],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', zip],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation', zip],
  odt: ['application/vnd.oasis.opendocument.text', zip],
  ods: ['application/vnd.oasis.opendocument.spreadsheet', zip],
  odp: ['application/vnd.oasis.opendocument.presentation', zip],
  epub: ['application/epub+zip', (head) => zip(head) && hasBytesAt(30, 'mimetypeapplication/epub+zip')(head)],
  png: ['image/png', hasBytesAt(0, 0x89, 'PNG\r\n', 0x1a, '\n')],
  jpg: ['image/jpeg', hasBytesAt(0, 0xff, 0xd8, 0xff)],
  jpeg: ['image/jpeg', hasBytesAt(0, 0xff, 0xd8, 0xff)],
  webp: ['image/webp', riff('WEBP')],
  gif: ['image/gif', anyCheck(hasBytesAt(0, 'GIF87a'), hasBytesAt(0, 'GIF89a'))],
  mp4: ['video/mp4', mpeg4],
  webm: ['video/webm', hasBytesAt(0, 0x1a, 0x45, 0xdf, 0xa3)],
  m4a: ['audio/mp4', mpeg4],
  mp3: [
    'audio/mpeg',
    anyCheck(hasBytesAt(0, 'ID3'), (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0),
  ],
  wav: ['audio/wav', riff('WAVE')],
  csv: ['text/csv', isText],
  json: ['application/json', isText],
};

/** Source code and other text, without extensions that are executed on double click or rendered by browsers. */
const TEXT_EXTENSIONS =
  'txt md markdown log tsv jsonl ipynb yaml yml toml ini conf env properties tex bib diff patch sql graphql proto ' +
  'css scss less ts tsx jsx mjs vue svelte py rb go rs c h cc cpp hpp cs java kt scala swift m dart lua php pl r jl ' +
  'hs ml clj ex erl zig nim sh mk cmake gradle tf';
for (const extension of TEXT_EXTENSIONS.split(' ')) typesByExtension[extension] = ['text/plain', isText];

export const HEAD_BYTES = 64 * 1024;

/** Makes a file name safe: no folders, invisible characters or bidirectional marks. */
export function toFileName(given: string): string {
  const name = given
    // Keeps the end, which has the extension.
    .slice(-MAX_INPUT_LENGTH)
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const plain = trimEnd(name, '. ');
  const [, base = plain, end = ''] = /^(.*?)((?:\.tar)?\.[^.]*)$/s.exec(plain) ?? [];
  return [...(base === '' ? '附件' : base)].slice(0, MAX_NAME_LENGTH - end.length).join('') + end;
}

/** Returns the content type; throws if the extension is unknown or does not fit the content. */
export function detectContentType(name: string, head: Buffer): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
  if (known === undefined) throw invalidField('file', '不支持这种附件，请压缩成 zip 后再上传');
  const [type, check] = known;
  if (!check(head)) throw invalidField('file', '文件的内容与它的后缀不符');
  return type;
}
