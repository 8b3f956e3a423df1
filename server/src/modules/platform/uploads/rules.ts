import { invalid } from '@mozhan/contract/errors.ts';
import { trimEnd } from '@mozhan/contract/scan.ts';

const LONGEST_NAME = 100;
const MOST_READ = 1000;

/** Begins with these bytes, at this place. */
const at =
  (offset: number, ...bytes: (string | number)[]) =>
  (head: Buffer): boolean => {
    const expected = Buffer.concat(
      bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))),
    );
    return head.subarray(offset, offset + expected.length).equals(expected);
  };
type Check = (head: Buffer) => boolean;
const either =
  (...checks: Check[]): Check =>
  (head) =>
    checks.some((check) => check(head));

const zip = at(0, 'PK\x03\x04');
const mpeg4 = at(4, 'ftyp');
const riff =
  (kind: string): Check =>
  (head) =>
    at(0, 'RIFF')(head) && at(8, kind)(head);

/** What a browser might take for a page, whatever the name says. */
const MARKUP = /^\s*<(!doctype|html|head|body|svg|script|iframe|\?xml|!--)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text contains
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** In whatever encoding, so that tables from older programs are text too. */
const isText: Check = (head) => {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return !BINARY.test(text) && !MARKUP.test(text);
};

/** By the end of the name: what it is sent as, and how its content begins. */
const types: Record<string, readonly [type: string, check: Check]> = {
  pdf: ['application/pdf', at(0, '%PDF-')],
  zip: ['application/zip', either(zip, at(0, 'PK\x05\x06'))],
  '7z': ['application/x-7z-compressed', at(0, '7z', 0xbc, 0xaf, 0x27, 0x1c)],
  rar: ['application/vnd.rar', at(0, 'Rar!', 0x1a, 0x07)],
  gz: ['application/gzip', at(0, 0x1f, 0x8b)],
  tgz: ['application/gzip', at(0, 0x1f, 0x8b)],
  xz: ['application/x-xz', at(0, 0xfd, '7zXZ', 0)],
  bz2: ['application/x-bzip2', at(0, 'BZh')],
  zst: ['application/zstd', at(0, 0x28, 0xb5, 0x2f, 0xfd)],
  tar: ['application/x-tar', at(257, 'ustar')],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', zip],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', zip],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation', zip],
  odt: ['application/vnd.oasis.opendocument.text', zip],
  ods: ['application/vnd.oasis.opendocument.spreadsheet', zip],
  odp: ['application/vnd.oasis.opendocument.presentation', zip],
  epub: ['application/epub+zip', (head) => zip(head) && at(30, 'mimetypeapplication/epub+zip')(head)],
  png: ['image/png', at(0, 0x89, 'PNG\r\n', 0x1a, '\n')],
  jpg: ['image/jpeg', at(0, 0xff, 0xd8, 0xff)],
  jpeg: ['image/jpeg', at(0, 0xff, 0xd8, 0xff)],
  webp: ['image/webp', riff('WEBP')],
  gif: ['image/gif', either(at(0, 'GIF87a'), at(0, 'GIF89a'))],
  mp4: ['video/mp4', mpeg4],
  webm: ['video/webm', at(0, 0x1a, 0x45, 0xdf, 0xa3)],
  m4a: ['audio/mp4', mpeg4],
  mp3: ['audio/mpeg', either(at(0, 'ID3'), (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0)],
  wav: ['audio/wav', riff('WAVE')],
  csv: ['text/csv', isText],
  json: ['application/json', isText],
};

/** Source and other text. Not what a double click runs on readers' machines, nor what a browser shows as a page. */
const TEXTS =
  'txt md markdown log tsv jsonl ipynb yaml yml toml ini conf env properties tex bib diff patch sql graphql proto ' +
  'css scss less ts tsx jsx mjs vue svelte py rb go rs c h cc cpp hpp cs java kt scala swift m dart lua php pl r jl ' +
  'hs ml clj ex erl zig nim sh mk cmake gradle tf';
for (const extension of TEXTS.split(' ')) types[extension] = ['text/plain', isText];

/** As much of a file as is looked at. */
export const HEAD_BYTES = 64 * 1024;

/** A name that is safe to save as and reads as what it is: no folders, nothing invisible, nothing that turns the order round. */
export function toFileName(given: string): string {
  const name = given
    // Longer than any name of a file: what counts is at the end.
    .slice(-MOST_READ)
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const plain = trimEnd(name, '. ');
  const [, base = plain, end = ''] = /^(.*?)((?:\.tar)?\.[^.]*)$/s.exec(plain) ?? [];
  return [...(base === '' ? '附件' : base)].slice(0, LONGEST_NAME - end.length).join('') + end;
}

/** What kind of file it is, by its name and its content, which have to agree. */
export function typeOf(name: string, head: Buffer): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = Object.hasOwn(types, extension) ? types[extension] : undefined;
  if (known === undefined) throw invalid('file', '不支持这种附件，请压缩成 zip 后再上传');
  const [type, check] = known;
  if (!check(head)) throw invalid('file', '文件的内容与它的后缀不符');
  return type;
}
