import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createInflateRaw } from 'node:zlib';
import { CallError } from '#contract/errors.ts';
import { readName } from './names.ts';

/** A file of which any part can be read. */
export interface Source {
  bytes: number;
  read: (range: { start: number; end: number }) => Promise<Readable>;
}

interface Entry {
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

export interface Zip {
  entries: Map<string, Entry>;
  /** What was left out of it, and why. */
  refused: { name: string; why: string }[];
}

const MOST_ENTRIES = 200_000;
const MOST_DIRECTORY = 128 * 1024 * 1024;
/** Unpacked, all of it. */
const MOST_BYTES = 20 * 1024 ** 3;
/** Nothing that people write packs better; what does is made to fill the memory of whoever opens it. */
const MOST_RATIO = 500;
const SMALL = 1024 * 1024;
const END = 0x06054b50;
const LONGEST_END = 22 + 0xffff;
const FAR = 0xffffffff;
const ENCRYPTED = 1;
const SYMLINK = 0xa000;

const broken = (why: string) => new CallError('INVALID', { message: why, fields: { file: why } });

async function readPart({ read }: Source, start: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  return buffer(await read({ start, end: start + length - 1 }));
}

interface Directory {
  offset: number;
  size: number;
}

async function findDirectory(source: Source): Promise<Directory> {
  const length = Math.min(source.bytes, LONGEST_END);
  const tail = await readPart(source, source.bytes - length, length);
  const at = tail.lastIndexOf(Buffer.of(0x50, 0x4b, 5, 6));
  if (at === -1 || tail.length - at < 22 || tail.readUInt32LE(at) !== END)
    throw broken('这不是一个完整的 ZIP 文件');
  const near = { offset: tail.readUInt32LE(at + 16), size: tail.readUInt32LE(at + 12) };
  const locator = at - 20;
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return near;
  const start = Number(tail.readBigUInt64LE(locator + 8));
  if (start + 56 > source.bytes) throw broken('ZIP 文件的目录已损坏');
  const large = await readPart(source, start, 56);
  if (large.readUInt32LE(0) !== 0x06064b50) throw broken('ZIP 文件的目录已损坏');
  return { offset: Number(large.readBigUInt64LE(48)), size: Number(large.readBigUInt64LE(40)) };
}

/** Of a large archive: numbers that do not fit stand in a field of their own, in this order. */
function readLarge(extra: Buffer, entry: Entry): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    const end = Math.min(from + extra.readUInt16LE(at + 2), extra.length);
    for (const field of ['size', 'packed', 'offset'] as const) {
      if (entry[field] !== FAR || from + 8 > end) continue;
      entry[field] = Number(extra.readBigUInt64LE(from));
      from += 8;
    }
    return;
  }
}

function whyRefused(entry: Entry, flags: number, attributes: number): string | null {
  if ((flags & ENCRYPTED) !== 0) return '加了密码';
  if (((attributes >>> 16) & 0xf000) === SYMLINK) return '是一个链接，不是文件';
  if (entry.method !== 0 && entry.method !== 8) return '压缩方式不支持';
  if (entry.method === 0 && entry.packed !== entry.size) return '大小与内容不符';
  if (entry.size > SMALL && entry.size > entry.packed * MOST_RATIO) return '解压后大得不合常理';
  return null;
}

/** Reads the list of files at the end of a ZIP; their content only when it is asked for. */
export async function openZip(source: Source): Promise<Zip> {
  const { offset, size } = await findDirectory(source);
  if (size > MOST_DIRECTORY) throw broken('ZIP 里的文件太多');
  if (offset + size > source.bytes) throw broken('ZIP 文件不完整，请重新上传');
  const list = await readPart(source, offset, size);
  const zip: Zip = { entries: new Map(), refused: [] };
  let total = 0;
  let count = 0;
  for (let at = 0; at + 46 <= list.length && list.readUInt32LE(at) === 0x02014b50; ) {
    const flags = list.readUInt16LE(at + 8);
    const nameEnd = at + 46 + list.readUInt16LE(at + 28);
    const extraEnd = nameEnd + list.readUInt16LE(at + 30);
    const entry: Entry = {
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      packed: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      offset: list.readUInt32LE(at + 42),
    };
    readLarge(list.subarray(nameEnd, extraEnd), entry);
    const attributes = list.readUInt32LE(at + 38);
    const { name, why } = readName(list.subarray(at + 46, nameEnd));
    at = extraEnd + list.readUInt16LE(at + 32);
    count += 1;
    if (count > MOST_ENTRIES) throw broken('ZIP 里的文件太多');
    if (name.endsWith('/') || isOfSystem(name)) continue;
    const reason =
      why ?? whyRefused(entry, flags, attributes) ?? (zip.entries.has(name) ? '与前面的文件重名' : null);
    if (reason !== null) {
      zip.refused.push({ name, why: reason });
      continue;
    }
    total += entry.size;
    if (total > MOST_BYTES) throw broken('ZIP 解压后太大');
    zip.entries.set(name, entry);
  }
  return zip;
}

/** What computers add for themselves. */
const isOfSystem = (name: string): boolean => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);

/** The content of a file, never more than it says it is. */
export async function* readEntry(source: Source, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.offset + 30 > source.bytes) throw broken('ZIP 文件已损坏');
  const head = await readPart(source, entry.offset, 30);
  if (head.readUInt32LE(0) !== 0x04034b50) throw broken('ZIP 文件已损坏');
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + entry.packed > source.bytes) throw broken('ZIP 文件已损坏');
  const packed =
    entry.packed === 0 ? Readable.from([]) : await source.read({ start, end: start + entry.packed - 1 });
  let size = 0;
  let crc = 0;
  const content = entry.method === 8 ? inflate(packed) : packed;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > entry.size) {
      packed.destroy();
      throw broken('文件比它声明的更大');
    }
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== entry.size || crc !== entry.crc) throw broken('文件已损坏');
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

async function* inflate(packed: Readable): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw();
  packed.on('error', (error) => inflater.destroy(error));
  inflater.on('close', () => packed.destroy());
  try {
    yield* packed.pipe(inflater);
  } catch (error) {
    throw isOfZlib(error) ? broken('文件已损坏') : error;
  }
}
