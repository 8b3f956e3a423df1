import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { BackupError } from './errors.ts';

/** An archive is a plain tar, so that its parts can be looked at with what every system has. */
const BLOCK = 512;
/** Larger sizes are written as GNU tar and the others do, in base 256. */
const MOST_OCTAL = 8 ** 11;

const field = (text: string, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  bytes.write(text);
  return bytes;
};
const octal = (value: number, length: number): Buffer =>
  field(value.toString(8).padStart(length - 1, '0'), length);

function sizeField(size: number): Buffer {
  if (size < MOST_OCTAL) return octal(size, 12);
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64BE(BigInt(size), 4);
  bytes[0] = 0x80;
  return bytes;
}

const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 0x20 : byte), 0);

function toHeader(name: string, size: number, time: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`too long a name for an archive: ${name}`);
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
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

export interface Written {
  bytes: number;
  hash: string;
}

export interface ArchiveWriter {
  add: (name: string, content: AsyncIterable<Buffer>) => Promise<Written>;
  /** Null, and nothing added, when the content has another hash. */
  addIf: (name: string, content: AsyncIterable<Buffer>, hash: string) => Promise<Written | null>;
  /** Synced, then moved to its name; answers with its size. */
  finish: () => Promise<number>;
  discard: () => Promise<void>;
}

/** Written aside, so that what bears the name is whole. */
export async function createArchive(target: string, aside: string, now: Date): Promise<ArchiveWriter> {
  const file = await open(aside, 'wx', 0o600);
  let end = 0;
  /** Behind what is there, where it counts only with its header. */
  async function write(content: AsyncIterable<Buffer>): Promise<Written> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      await writeAll(file, chunk, end + BLOCK + bytes);
      bytes += chunk.length;
    }
    return { bytes, hash: hash.digest('hex') };
  }

  async function close(name: string, { bytes }: Written): Promise<void> {
    await writeAll(file, toHeader(name, bytes, now), end);
    await writeAll(file, Buffer.alloc(padded(bytes) - bytes), end + BLOCK + bytes);
    end += BLOCK + padded(bytes);
  }

  return {
    async add(name, content) {
      const written = await write(content);
      await close(name, written);
      return written;
    },
    async addIf(name, content, hash) {
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
      await rename(aside, target);
      await syncFolder(dirname(target));
      return end;
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(aside, { force: true });
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

export interface Entry {
  name: string;
  bytes: number;
  /** Where its content begins. */
  at: number;
}

export interface ArchiveReader {
  bytes: number;
  entries: Entry[];
  read: (entry: Entry) => Readable;
  close: () => Promise<void>;
}

const CUT = '备份文件不完整，可能没有写完或没有传完';
const DAMAGED = '备份文件已损坏，或者不是墨栈的备份';

/** Goes over the headers; the contents are read when they are asked for. */
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

async function* readEntry(file: FileHandle, { bytes, at }: Entry): AsyncGenerator<Buffer> {
  for (let done = 0; done < bytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at + done);
    if (bytesRead === 0) throw new BackupError(CUT);
    yield chunk.subarray(0, bytesRead);
    done += bytesRead;
  }
}

async function listEntries(file: FileHandle, size: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  const header = Buffer.alloc(BLOCK);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(header, 0, BLOCK, at);
    if (bytesRead < BLOCK) throw new BackupError(CUT);
    if (header.every((byte) => byte === 0)) return entries;
    const entry = readHeader(header, at + BLOCK);
    at += BLOCK + padded(entry.bytes);
    if (at > size) throw new BackupError(CUT);
    entries.push(entry);
  }
}

function readHeader(header: Buffer, at: number): Entry {
  const text = (from: number, length: number): string =>
    header
      .toString('utf8', from, from + length)
      .replace(/\0.*$/s, '')
      .trim();
  if (Number.parseInt(text(148, 8), 8) !== sumOf(header)) throw new BackupError(DAMAGED);
  const bytes =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  if (!Number.isSafeInteger(bytes)) throw new BackupError(DAMAGED);
  return { name: text(0, 100), bytes, at };
}

export async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
