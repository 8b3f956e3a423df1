import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createInflateRaw } from 'node:zlib';
import { CallError } from '@mozhan/contract/errors.ts';
import * as yauzl from 'yauzl';
import { decodeName } from './names.ts';

export interface ZipSource {
  bytes: number;
  read: (range: { start: number; end: number }) => Promise<Readable>;
}

/** Only the needed fields, because yauzl's entries also contain comments and extra fields, which can be large. */
interface ZipEntry {
  method: number;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

export interface Zip {
  entries: Map<string, ZipEntry>;
  refused: { name: string; reason: string }[];
}

const MAX_ENTRIES = 200_000;
const MAX_DIRECTORY_BYTES = 128 * 1024 * 1024;
/** The total uncompressed size. */
const MAX_TOTAL_BYTES = 20 * 1024 ** 3;
/** No real text compresses better; a higher ratio indicates a ZIP bomb. */
const MAX_COMPRESSION_RATIO = 500;
/** Further ones are only counted, because each of them is a row of the report. */
const MAX_REFUSED = 1000;
const SMALL_FILE_BYTES = 1024 * 1024;
const SYMLINK = 0xa000;
/** Bytes of the directory per read; small, because all entries of a read are handled in one event loop turn. */
const READ_AHEAD = 32 * 1024;
const ENTRY_SIGNATURE = 0x02014b50;

type ReadArguments = Parameters<yauzl.RandomAccessReader['read']>;

const invalidZip = (message: string) => new CallError('INVALID', { message, fields: { file: message } });

async function readPart({ read }: ZipSource, start: number, length: number): Promise<Buffer> {
  return buffer(await read({ start, end: start + length - 1 }));
}

/**
 * Buffers reads, because yauzl reads each directory entry separately and at S3 each read is a request. A class, because
 * yauzl requires a subclass of its reader.
 */
class ReadAhead extends yauzl.RandomAccessReader {
  /** The error of the storage, if it failed; any other error comes from yauzl and means a broken archive. */
  failure: unknown = null;
  #source: ZipSource;
  #start = 0;
  #part: Buffer = Buffer.alloc(0);

  constructor(source: ZipSource) {
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
        const readLength = Math.min(Math.max(length, READ_AHEAD), this.#source.bytes - position);
        this.#part = readLength > 0 ? await readPart(this.#source, position, readLength) : Buffer.alloc(0);
        this.#start = position;
      }
      const bytes = this.#part.subarray(position - this.#start, position - this.#start + length);
      if (bytes.length < length) throw invalidZip('ZIP 文件不完整，请重新上传');
      return bytes;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

async function* listEntries(source: ZipSource): AsyncGenerator<yauzl.Entry> {
  const reader = new ReadAhead(source);
  let message = '这不是一个完整的 ZIP 文件';
  try {
    const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
    const file = await yauzl.fromRandomAccessReaderPromise(reader, source.bytes, options);
    message = 'ZIP 文件的目录已损坏';
    // macOS writes the number of entries modulo 65,536.
    const correctCount = async () => {
      if (file.entriesRead < file.entryCount) return;
      const next = await reader.readAt(Number(file.readEntryCursor), 4);
      if (next.readUInt32LE(0) === ENTRY_SIGNATURE) file.entryCount += 0x10000;
    };
    await correctCount();
    for await (const entry of file.eachEntry()) {
      yield entry;
      await correctCount();
    }
  } catch {
    throw reader.failure ?? invalidZip(message);
  }
}

function getRefusalReason(entry: yauzl.Entry): string | null {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) return '加了密码';
  if (((entry.externalFileAttributes >>> 16) & 0xf000) === SYMLINK) return '是一个链接，不是文件';
  if (!entry.canDecodeFileData()) return '压缩方式不支持';
  if (compressionMethod === 0 && compressedSize !== uncompressedSize) return '大小与内容不符';
  if (uncompressedSize > SMALL_FILE_BYTES && uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO)
    return '解压后大得不合常理';
  return null;
}

/** Reads only the central directory; contents are read on demand. */
export async function openZip(source: ZipSource): Promise<Zip> {
  const zip: Zip = { entries: new Map(), refused: [] };
  let total = 0;
  let count = 0;
  let directory = 0;
  let unlisted = 0;
  for await (const entry of listEntries(source)) {
    count += 1;
    directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (count > MAX_ENTRIES || directory > MAX_DIRECTORY_BYTES) throw invalidZip('ZIP 里的文件太多');
    const { name, reason: nameReason } = decodeName(entry.fileNameRaw);
    if (name.endsWith('/') || isSystemFile(name)) continue;
    const reason =
      nameReason ?? getRefusalReason(entry) ?? (zip.entries.has(name) ? '与前面的文件重名' : null);
    if (reason !== null) {
      if (zip.refused.length < MAX_REFUSED) zip.refused.push({ name, reason });
      else unlisted += 1;
      continue;
    }
    total += entry.uncompressedSize;
    if (total > MAX_TOTAL_BYTES) throw invalidZip('ZIP 解压后太大');
    zip.entries.set(name, {
      method: entry.compressionMethod,
      crc: entry.crc32,
      compressed: entry.compressedSize,
      size: entry.uncompressedSize,
      offset: entry.relativeOffsetOfLocalHeader,
      modifiedAt: entry.getLastModDate().getTime(),
    });
  }
  if (unlisted > 0) zip.refused.push({ name: `另外 ${unlisted} 个文件`, reason: '也不能读取，没有逐个列出' });
  return zip;
}

/** Files that macOS and Windows add automatically. */
const isSystemFile = (name: string): boolean => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);

/** Yields the content of a file, at most its declared size. */
export async function* readEntry(source: ZipSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.offset + 30 > source.bytes) throw invalidZip('ZIP 文件已损坏');
  const head = await readPart(source, entry.offset, 30);
  if (head.readUInt32LE(0) !== 0x04034b50) throw invalidZip('ZIP 文件已损坏');
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + entry.compressed > source.bytes) throw invalidZip('ZIP 文件已损坏');
  const compressed =
    entry.compressed === 0
      ? Readable.from([])
      : await source.read({ start, end: start + entry.compressed - 1 });
  let size = 0;
  let crc = 0;
  const content = entry.method === 8 ? inflate(compressed) : compressed;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > entry.size) {
      compressed.destroy();
      throw invalidZip('文件比它声明的更大');
    }
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== entry.size || crc !== entry.crc) throw invalidZip('文件已损坏');
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

async function* inflate(compressed: Readable): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw();
  compressed.on('error', (error) => inflater.destroy(error));
  inflater.on('close', () => compressed.destroy());
  try {
    yield* compressed.pipe(inflater);
  } catch (error) {
    throw isZlibError(error) ? invalidZip('文件已损坏') : error;
  }
}
