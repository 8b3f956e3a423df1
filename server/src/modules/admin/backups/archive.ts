import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { BackupError } from './errors.ts';

/** An archive is a plain tar file, so that operators can inspect it with standard tools. */
const BLOCK = 512;
/** Larger sizes are written in base 256, like GNU tar. */
const MAX_OCTAL_SIZE = 8 ** 11;

const field = (text: string, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  bytes.write(text);
  return bytes;
};
const octal = (value: number, length: number): Buffer =>
  field(value.toString(8).padStart(length - 1, '0'), length);

function sizeField(size: number): Buffer {
  if (size < MAX_OCTAL_SIZE) return octal(size, 12);
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64BE(BigInt(size), 4);
  bytes[0] = 0x80;
  return bytes;
}

const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);

function toHeader(name: string, size: number, time: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name of an archive entry is too long: ${name}`);
  const header = Buffer.concat([
    field(name, 100),
    octal(0o600, 8),
    octal(0, 8),
    octal(0, 8),
    sizeField(size),
    octal(Math.floor(time.getTime() / 1000), 12),
    Buffer.alloc(8),
    Buffer.from('0'),
    Buffer.alloc(100),
    Buffer.from('ustar\x0000'),
    Buffer.alloc(247),
  ]);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const paddedSize = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

export interface WrittenEntry {
  bytes: number;
  hash: string;
}

export interface ArchiveWriter {
  add: (name: string, content: AsyncIterable<Buffer>) => Promise<WrittenEntry>;
  /** Adds nothing and returns null when the content has another hash. */
  addIfHashMatches: (
    name: string,
    content: AsyncIterable<Buffer>,
    hash: string,
  ) => Promise<WrittenEntry | null>;
  /** Syncs the file, renames it to its final name and returns its size. */
  finish: () => Promise<number>;
  discard: () => Promise<void>;
}

/** Writes to a temporary path, so that a file with the final name is always complete. */
export async function createArchive(
  target: string,
  temporaryPath: string,
  now: Date,
): Promise<ArchiveWriter> {
  const file = await open(temporaryPath, 'wx', 0o600);
  let end = 0;
  /** Writes the content after the last entry; the entry exists only once its header is written. */
  async function write(content: AsyncIterable<Buffer>): Promise<WrittenEntry> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      await writeAll(file, chunk, end + BLOCK + bytes);
      bytes += chunk.length;
    }
    return { bytes, hash: hash.digest('hex') };
  }

  async function close(name: string, { bytes }: WrittenEntry): Promise<void> {
    await writeAll(file, toHeader(name, bytes, now), end);
    await writeAll(file, Buffer.alloc(paddedSize(bytes) - bytes), end + BLOCK + bytes);
    end += BLOCK + paddedSize(bytes);
  }

  return {
    async add(name, content) {
      const written = await write(content);
      await close(name, written);
      return written;
    },
    async addIfHashMatches(name, content, hash) {
      const written = await write(content);
      if (written.hash !== hash) return null;
      await close(name, written);
      return written;
    },
    async finish() {
      await writeAll(file, Buffer.alloc(2 * BLOCK), end);
      end += 2 * BLOCK;
      await file.truncate(end);
      await file.sync();
      await file.close();
      await rename(temporaryPath, target);
      await syncFolder(dirname(target));
      return end;
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(temporaryPath, { force: true });
    },
  };
}

async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

export interface ArchiveEntry {
  name: string;
  bytes: number;
  offset: number;
}

export interface ArchiveReader {
  bytes: number;
  entries: ArchiveEntry[];
  read: (entry: ArchiveEntry) => Readable;
  close: () => Promise<void>;
}

const TRUNCATED = '备份文件不完整，可能没有写完或没有传完';
const DAMAGED = '备份文件已损坏，或者不是墨栈的备份';

/** Reads only the headers; the contents are read on demand. */
export async function openArchive(path: string): Promise<ArchiveReader> {
  const file = await open(path).catch((error: unknown) => {
    throw new BackupError(`打不开备份文件 ${path}`, { cause: error });
  });
  try {
    const { size } = await file.stat();
    return {
      bytes: size,
      entries: await listEntries(file, size),
      read: (entry) => Readable.from(readEntry(file, entry), { objectMode: false }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const CHUNK = 256 * 1024;

async function* readEntry(file: FileHandle, { bytes, offset }: ArchiveEntry): AsyncGenerator<Buffer> {
  for (let done = 0; done < bytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset + done);
    if (bytesRead === 0) throw new BackupError(TRUNCATED);
    yield chunk.subarray(0, bytesRead);
    done += bytesRead;
  }
}

async function listEntries(file: FileHandle, size: number): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  const header = Buffer.alloc(BLOCK);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(header, 0, BLOCK, at);
    if (bytesRead < BLOCK) throw new BackupError(TRUNCATED);
    if (header.every((byte) => byte === 0)) return entries;
    const entry = readHeader(header, at + BLOCK);
    at += BLOCK + paddedSize(entry.bytes);
    if (at > size) throw new BackupError(TRUNCATED);
    entries.push(entry);
  }
}

function readHeader(header: Buffer, offset: number): ArchiveEntry {
  const text = (from: number, length: number): string =>
    header
      .toString('utf8', from, from + length)
      .replace(/\0.*$/s, '')
      .trim();
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header)) throw new BackupError(DAMAGED);
  const bytes =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new BackupError(DAMAGED);
  return { name: text(0, 100), bytes, offset };
}

export async function hashStream(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
