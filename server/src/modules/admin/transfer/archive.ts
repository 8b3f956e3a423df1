import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FileStore } from '../../../files/files.ts';
import { type Archive, MAX_TEXT_BYTES, type Upload } from './formats/types.ts';
import { openZip, readEntry, type ZipSource } from './zip/read.ts';

const MB = 1024 * 1024;
const MAX_FILE_BYTES = 64 * MB;
const START_BYTES = 128 * 1024;
/** Records are far shorter; the limit protects the memory from a file without line breaks. */
const MAX_LINE_LENGTH = 4 * MB;

/** An opened upload. Its files are read on demand and never written to disk under their own names. */
export interface OpenArchive extends Archive, Upload {
  sizeOf(name: string): number;
  readBytes(name: string): Promise<Buffer>;
  openStream(name: string): Readable;
  readLines(name: string): AsyncIterable<string>;
  refused: { name: string; reason: string }[];
}

const invalidArchive = (message: string) => new CallError('INVALID', { message, fields: { file: message } });

const NAMES_PER_TURN = 10_000;

/** Finds names without blocking the process, also among very many. */
export async function listNames(
  archive: Pick<Upload, 'names'>,
  isWanted: (name: string) => boolean,
): Promise<string[]> {
  const names = archive.names();
  const found: string[] = [];
  for (let start = 0; start < names.length; start += NAMES_PER_TURN) {
    if (start > 0) await nextTurn();
    found.push(...names.slice(start, start + NAMES_PER_TURN).filter(isWanted));
  }
  return found;
}

/** Chunks are copied as they arrive, because joining them at the end would block the process. */
async function readAll(content: AsyncIterable<Buffer>, size: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let done = 0;
  for await (const chunk of content) {
    if (done + chunk.length > size) throw invalidArchive('文件比它声明的更大');
    bytes.set(chunk, done);
    done += chunk.length;
  }
  if (done < size) throw invalidArchive('文件已损坏');
  return bytes.buffer;
}

async function* splitLines(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > MAX_LINE_LENGTH) throw invalidArchive(`${name} 里有一行太长`);
  }
  yield rest;
}

async function decodeStart(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of content) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= START_BYTES) break;
    }
  } catch (error) {
    // A damaged file is reported when it is read completely.
    if (!(error instanceof CallError && error.code === 'INVALID')) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function toArchive<Entry extends { size: number; modifiedAt?: number }>(
  entries: Map<string, Entry>,
  open: (entry: Entry) => AsyncIterable<Buffer>,
  refused: OpenArchive['refused'],
): OpenArchive {
  const names = [...entries.keys()];
  function find(name: string): Entry {
    const entry = entries.get(name);
    if (entry === undefined) throw invalidArchive(`压缩包里没有 ${name}`);
    return entry;
  }
  async function readContent(name: string, maxBytes: number): Promise<ArrayBuffer> {
    const entry = find(name);
    if (entry.size > maxBytes) throw invalidArchive(`${name} 太大`);
    return readAll(open(entry), entry.size);
  }
  const openStream = (name: string): Readable => Readable.from(open(find(name)), { objectMode: false });
  return {
    refused,
    openStream,
    sizeOf: (name) => entries.get(name)?.size ?? 0,
    names: () => names,
    has: (name) => entries.has(name),
    modifiedAt: (name) => entries.get(name)?.modifiedAt ?? null,
    readContent,
    readText: async (name, maxBytes = MAX_TEXT_BYTES) =>
      new TextDecoder().decode(await readContent(name, maxBytes)),
    readStart: async (name) => decodeStart(open(find(name))),
    readBytes: async (name) => Buffer.from(await readContent(name, MAX_FILE_BYTES)),
    readLines: (name) => splitLines(name, openStream(name)),
  };
}

/** Accepts the signatures of a ZIP with files and of an empty one. */
const isZip = (head: Buffer): boolean => ['504b0304', '504b0506'].includes(head.toString('hex'));

/** Opens a ZIP, or a single file as an archive with one entry. */
export async function openArchive(
  files: FileStore,
  { path, name, bytes }: { path: string; name: string; bytes: number },
): Promise<OpenArchive> {
  const source: ZipSource = { bytes, read: (range) => files.read(path, range) };
  const head = await buffer(await source.read({ start: 0, end: Math.min(bytes, 4) - 1 }));
  if (!isZip(head)) {
    const readWholeFile = async function* () {
      yield* (await files.read(path)) as AsyncIterable<Buffer>;
    };
    return toArchive(new Map([[name, { size: bytes }]]), readWholeFile, []);
  }
  const { entries, refused } = await openZip(source);
  return toArchive(entries, (entry) => readEntry(source, entry), refused);
}
