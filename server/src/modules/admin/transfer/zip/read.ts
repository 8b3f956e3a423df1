import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createInflateRaw } from 'node:zlib';
import { CallError } from '@mozhan/contract/errors.ts';
import * as yauzl from 'yauzl';
import { readName } from './names.ts';

/** A file of which any part can be read. */
export interface Source {
  bytes: number;
  read: (range: { start: number; end: number }) => Promise<Readable>;
}

/** The fields of an entry that we keep. yauzl's own object also holds comments and extra fields, which can be large. */
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
const SYMLINK = 0xa000;
/** Bytes of the directory read at once. All their entries are handled in one turn of the event loop, so keep it small. */
const READ_AHEAD = 32 * 1024;
const ENTRY = 0x02014b50;

type ReadArguments = Parameters<yauzl.RandomAccessReader['read']>;

const broken = (why: string) => new CallError('INVALID', { message: why, fields: { file: why } });

async function readPart({ read }: Source, start: number, length: number): Promise<Buffer> {
  return buffer(await read({ start, end: start + length - 1 }));
}

/**
 * Buffers reads, because yauzl reads each directory entry separately and at S3 each read is a request. A class, because
 * yauzl requires a subclass of its reader.
 */
class ReadAhead extends yauzl.RandomAccessReader {
  /** The error of the storage, if it failed; any other error comes from yauzl and means a broken archive. */
  failure: unknown = null;
  #source: Source;
  #start = 0;
  #part: Buffer = Buffer.alloc(0);

  constructor(source: Source) {
    super();
    this.#source = source;
  }

  override read(...[target, offset, length, position, callback]: ReadArguments): void {
    this.readAt(position, length).then((bytes) => {
      bytes.copy(target, offset);
      callback(null);
    }, callback);
  }

  async readAt(position: number, length: number): Promise<Buffer> {
    try {
      if (position < this.#start || position + length > this.#start + this.#part.length) {
        const wanted = Math.min(Math.max(length, READ_AHEAD), this.#source.bytes - position);
        this.#part = wanted > 0 ? await readPart(this.#source, position, wanted) : Buffer.alloc(0);
        this.#start = position;
      }
      const bytes = this.#part.subarray(position - this.#start, position - this.#start + length);
      if (bytes.length < length) throw broken('ZIP 文件不完整，请重新上传');
      return bytes;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

async function* listEntries(source: Source): AsyncGenerator<yauzl.Entry> {
  const reader = new ReadAhead(source);
  let why = '这不是一个完整的 ZIP 文件';
  try {
    const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
    const file = await yauzl.fromRandomAccessReaderPromise(reader, source.bytes, options);
    why = 'ZIP 文件的目录已损坏';
    // macOS writes the number of entries modulo 65,536.
    const correctCount = async () => {
      if (file.entriesRead < file.entryCount) return;
      const next = await reader.readAt(Number(file.readEntryCursor), 4);
      if (next.readUInt32LE(0) === ENTRY) file.entryCount += 0x10000;
    };
    await correctCount();
    for await (const entry of file.eachEntry()) {
      yield entry;
      await correctCount();
    }
  } catch {
    throw reader.failure ?? broken(why);
  }
}

function whyRefused(entry: yauzl.Entry): string | null {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) return '加了密码';
  if (((entry.externalFileAttributes >>> 16) & 0xf000) === SYMLINK) return '是一个链接，不是文件';
  if (!entry.canDecodeFileData()) return '压缩方式不支持';
  if (compressionMethod === 0 && compressedSize !== uncompressedSize) return '大小与内容不符';
  if (uncompressedSize > SMALL && uncompressedSize > compressedSize * MOST_RATIO) return '解压后大得不合常理';
  return null;
}

/** Reads the list of files at the end of a ZIP; their content only when it is asked for. */
export async function openZip(source: Source): Promise<Zip> {
  const zip: Zip = { entries: new Map(), refused: [] };
  let total = 0;
  let count = 0;
  let directory = 0;
  for await (const entry of listEntries(source)) {
    count += 1;
    directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (count > MOST_ENTRIES || directory > MOST_DIRECTORY) throw broken('ZIP 里的文件太多');
    const { name, why } = readName(entry.fileNameRaw);
    if (name.endsWith('/') || isOfSystem(name)) continue;
    const reason = why ?? whyRefused(entry) ?? (zip.entries.has(name) ? '与前面的文件重名' : null);
    if (reason !== null) {
      zip.refused.push({ name, why: reason });
      continue;
    }
    total += entry.uncompressedSize;
    if (total > MOST_BYTES) throw broken('ZIP 解压后太大');
    zip.entries.set(name, {
      method: entry.compressionMethod,
      crc: entry.crc32,
      packed: entry.compressedSize,
      size: entry.uncompressedSize,
      offset: entry.relativeOffsetOfLocalHeader,
    });
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
