import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';

/** A file of the archive; a stream is compressed while it is read, a buffer stays in memory until it is written. */
export interface ZipFile {
  name: string;
  modified: Date;
  content: Buffer | AsyncIterable<Buffer>;
  /** For formats that are compressed already, such as pictures. */
  isCompressed?: boolean;
}

interface WrittenEntry {
  name: Buffer;
  method: number;
  flags: number;
  time: number;
  date: number;
  crc: number;
  compressedSize: number;
  size: number;
  offset: number;
}

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const UTF8 = 0x800;
/** Flag: the sizes follow the content. */
const STREAMED = 8;
const STORE = 0;
const DEFLATE = 8;
const FOUR_GB = 0xffffffff;
const MAX_ENTRIES = 0xffff;
/** The minimum version of a reader: 2.0 for deflate, 4.5 for ZIP64. */
const DEFAULT_VERSION = 20;
const ZIP64_VERSION = 45;

/** MS-DOS times start in 1980 and have a resolution of two seconds; UTC is used here. */
function toDosTime(given: Date): { time: number; date: number } {
  const year = Math.min(Math.max(given.getUTCFullYear(), 1980), 2107);
  return {
    time: (given.getUTCHours() << 11) | (given.getUTCMinutes() << 5) | (given.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((given.getUTCMonth() + 1) << 5) | given.getUTCDate(),
  };
}

function localHeader({ name, method, flags, time, date, crc, compressedSize, size }: WrittenEntry): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(DEFAULT_VERSION, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(time, 10);
  head.writeUInt16LE(date, 12);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(compressedSize, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ crc, compressedSize, size }: WrittenEntry): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(crc, 4);
  tail.writeUInt32LE(compressedSize, 8);
  tail.writeUInt32LE(size, 12);
  return tail;
}

function centralHeader(entry: WrittenEntry): Buffer {
  const needsZip64 = entry.offset >= FOUR_GB;
  const extra = Buffer.alloc(needsZip64 ? 12 : 0);
  if (needsZip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  }
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(needsZip64 ? ZIP64_VERSION : DEFAULT_VERSION, 4);
  head.writeUInt16LE(needsZip64 ? ZIP64_VERSION : DEFAULT_VERSION, 6);
  head.writeUInt16LE(entry.flags, 8);
  head.writeUInt16LE(entry.method, 10);
  head.writeUInt16LE(entry.time, 12);
  head.writeUInt16LE(entry.date, 14);
  head.writeUInt32LE(entry.crc, 16);
  head.writeUInt32LE(entry.compressedSize, 20);
  head.writeUInt32LE(entry.size, 24);
  head.writeUInt16LE(entry.name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(needsZip64 ? FOUR_GB : entry.offset, 42);
  return Buffer.concat([head, entry.name, extra]);
}

function endRecord(count: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_ENTRIES), 8);
  end.writeUInt16LE(Math.min(count, MAX_ENTRIES), 10);
  end.writeUInt32LE(Math.min(size, FOUR_GB), 12);
  end.writeUInt32LE(Math.min(offset, FOUR_GB), 16);
  if (count < MAX_ENTRIES && offset < FOUR_GB && size < FOUR_GB) return end;
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(ZIP64_VERSION, 12);
  large.writeUInt16LE(ZIP64_VERSION, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(offset + size), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

async function* compressStream(content: AsyncIterable<Buffer>, entry: WrittenEntry): AsyncGenerator<Buffer> {
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  };
  const deflater = createDeflateRaw();
  const feeding = (async () => {
    for await (const chunk of measure(content)) {
      if (!deflater.write(chunk)) await new Promise((resolve) => deflater.once('drain', resolve));
    }
    deflater.end();
  })().catch((error: unknown) => deflater.destroy(error as Error));
  for await (const chunk of deflater as AsyncIterable<Buffer>) {
    entry.compressedSize += chunk.length;
    yield chunk;
  }
  await feeding;
  if (entry.size >= FOUR_GB) throw new Error('a file in the archive is larger than 4 GB');
}

/** Writes a ZIP as a stream, with at most one file in memory. */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, modified, content, isCompressed = false } of files) {
    const entry: WrittenEntry = {
      name: Buffer.from(name),
      method: isCompressed ? STORE : DEFLATE,
      flags: UTF8,
      ...toDosTime(modified),
      crc: 0,
      compressedSize: 0,
      size: 0,
      offset,
    };
    if (Buffer.isBuffer(content)) {
      const data = isCompressed ? content : await deflate(content);
      Object.assign(entry, { crc: crc32(content), compressedSize: data.length, size: content.length });
      const head = localHeader(entry);
      yield head;
      yield data;
      offset += head.length + data.length;
    } else {
      entry.flags |= STREAMED;
      entry.method = DEFLATE;
      const head = localHeader(entry);
      yield head;
      yield* compressStream(content, entry);
      const tail = descriptor(entry);
      yield tail;
      offset += head.length + entry.compressedSize + tail.length;
    }
    directory.push(centralHeader(entry));
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  yield* directory;
  yield endRecord(directory.length, offset, size);
}
