import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';

/** A file of the archive. A stream is packed as it comes; anything else is held while it is written. */
export interface ZipFile {
  name: string;
  modified: Date;
  content: Buffer | AsyncIterable<Buffer>;
  /** Pictures and the like are packed already. */
  isPacked?: boolean;
}

interface Written {
  name: Buffer;
  method: number;
  flags: number;
  time: number;
  date: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const UTF8 = 0x800;
/** Sizes follow the content. */
const STREAMED = 8;
const STORE = 0;
const DEFLATE = 8;
const FOUR_GB = 0xffffffff;
const MOST_ENTRIES = 0xffff;
/** The oldest version of the format that can read it: with folders and deflate, or with large offsets. */
const PLAIN = 20;
const LARGE = 45;

/** As MS-DOS counted, here in UTC, from 1980 on in steps of two seconds. */
function dosTime(given: Date): { time: number; date: number } {
  const year = Math.min(Math.max(given.getUTCFullYear(), 1980), 2107);
  return {
    time: (given.getUTCHours() << 11) | (given.getUTCMinutes() << 5) | (given.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((given.getUTCMonth() + 1) << 5) | given.getUTCDate(),
  };
}

function localHeader({ name, method, flags, time, date, crc, packed, size }: Written): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(PLAIN, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(time, 10);
  head.writeUInt16LE(date, 12);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(packed, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ crc, packed, size }: Written): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(crc, 4);
  tail.writeUInt32LE(packed, 8);
  tail.writeUInt32LE(size, 12);
  return tail;
}

function centralHeader(entry: Written): Buffer {
  const isFar = entry.offset >= FOUR_GB;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  }
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(isFar ? LARGE : PLAIN, 4);
  head.writeUInt16LE(isFar ? LARGE : PLAIN, 6);
  head.writeUInt16LE(entry.flags, 8);
  head.writeUInt16LE(entry.method, 10);
  head.writeUInt16LE(entry.time, 12);
  head.writeUInt16LE(entry.date, 14);
  head.writeUInt32LE(entry.crc, 16);
  head.writeUInt32LE(entry.packed, 20);
  head.writeUInt32LE(entry.size, 24);
  head.writeUInt16LE(entry.name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(isFar ? FOUR_GB : entry.offset, 42);
  return Buffer.concat([head, entry.name, extra]);
}

/** What stands at the end and says where the list of all files begins. */
function endOf(count: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MOST_ENTRIES), 8);
  end.writeUInt16LE(Math.min(count, MOST_ENTRIES), 10);
  end.writeUInt32LE(Math.min(size, FOUR_GB), 12);
  end.writeUInt32LE(Math.min(offset, FOUR_GB), 16);
  if (count < MOST_ENTRIES && offset < FOUR_GB && size < FOUR_GB) return end;
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(LARGE, 12);
  large.writeUInt16LE(LARGE, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(offset + size), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

async function* packStream(content: AsyncIterable<Buffer>, entry: Written): AsyncGenerator<Buffer> {
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  };
  const packer = createDeflateRaw();
  const feeding = (async () => {
    for await (const chunk of measured(content)) {
      if (!packer.write(chunk)) await new Promise((resolve) => packer.once('drain', resolve));
    }
    packer.end();
  })().catch((error: unknown) => packer.destroy(error as Error));
  for await (const chunk of packer as AsyncIterable<Buffer>) {
    entry.packed += chunk.length;
    yield chunk;
  }
  await feeding;
  if (entry.size >= FOUR_GB) throw new Error('a file of an archive is larger than 4 GB');
}

/** A ZIP as a stream: however large it becomes, one file of it is in the memory. */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, modified, content, isPacked = false } of files) {
    const entry: Written = {
      name: Buffer.from(name),
      method: isPacked ? STORE : DEFLATE,
      flags: UTF8,
      ...dosTime(modified),
      crc: 0,
      packed: 0,
      size: 0,
      offset,
    };
    if (Buffer.isBuffer(content)) {
      const data = isPacked ? content : await deflate(content);
      Object.assign(entry, { crc: crc32(content), packed: data.length, size: content.length });
      const head = localHeader(entry);
      yield head;
      yield data;
      offset += head.length + data.length;
    } else {
      entry.flags |= STREAMED;
      entry.method = DEFLATE;
      const head = localHeader(entry);
      yield head;
      yield* packStream(content, entry);
      const tail = descriptor(entry);
      yield tail;
      offset += head.length + entry.packed + tail.length;
    }
    directory.push(centralHeader(entry));
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  yield* directory;
  yield endOf(directory.length, offset, size);
}
