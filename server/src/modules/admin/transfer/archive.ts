import { Readable } from 'node:stream';
import { arrayBuffer, buffer } from 'node:stream/consumers';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Files } from '../../../files/files.ts';
import { type Archive, LONGEST_TEXT, type Upload } from './formats/types.ts';
import { openZip, readEntry, type Source } from './zip/read.ts';

const MB = 1024 * 1024;
const LARGEST_FILE = 64 * MB;
const BEGINNING = 128 * 1024;
/** A record of a list is far shorter: what has no end would be held whole. */
const LONGEST_LINE = 4 * MB;

/** An upload, opened: its files are read when they are asked for, and never written anywhere by their names. */
export interface OpenArchive extends Archive, Upload {
  bytesOf(name: string): number;
  bytes(name: string): Promise<Buffer>;
  stream(name: string): Readable;
  lines(name: string): AsyncIterable<string>;
  refused: { name: string; why: string }[];
}

const failed = (message: string) => new CallError('INVALID', { message, fields: { file: message } });

async function* linesOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > LONGEST_LINE) throw failed(`${name} 里有一行太长`);
  }
  yield rest;
}

async function beginningOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of content) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= BEGINNING) break;
    }
  } catch (error) {
    // What is damaged is named when it is read.
    if (!(error instanceof CallError && error.code === 'INVALID')) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function toArchive<Entry extends { size: number }>(
  entries: Map<string, Entry>,
  open: (entry: Entry) => AsyncIterable<Buffer>,
  refused: OpenArchive['refused'],
): OpenArchive {
  function read(name: string, most = Number.POSITIVE_INFINITY): AsyncIterable<Buffer> {
    const entry = entries.get(name);
    if (entry === undefined) throw failed(`压缩包里没有 ${name}`);
    if (entry.size > most) throw failed(`${name} 太大`);
    return open(entry);
  }
  const content = async (name: string, most: number): Promise<ArrayBuffer> =>
    arrayBuffer(Readable.from(read(name, most), { objectMode: false }));
  const stream = (name: string): Readable => Readable.from(read(name), { objectMode: false });
  return {
    refused,
    stream,
    bytesOf: (name) => entries.get(name)?.size ?? 0,
    names: () => [...entries.keys()],
    has: (name) => entries.has(name),
    content,
    text: async (name, most = LONGEST_TEXT) => new TextDecoder().decode(await content(name, most)),
    beginning: async (name) => beginningOf(read(name)),
    bytes: async (name) => Buffer.from(await content(name, LARGEST_FILE)),
    lines: (name) => linesOf(name, stream(name)),
  };
}

/** With files in it, or empty. */
const isZip = (head: Buffer): boolean => ['504b0304', '504b0506'].includes(head.toString('hex'));

/** A ZIP, or a single file as an archive of one. */
export async function openArchive(
  files: Files,
  { path, name, bytes }: { path: string; name: string; bytes: number },
): Promise<OpenArchive> {
  const source: Source = { bytes, read: (range) => files.read(path, range) };
  const head = await buffer(await source.read({ start: 0, end: Math.min(bytes, 4) - 1 }));
  if (!isZip(head)) {
    const whole = async function* () {
      yield* (await files.read(path)) as AsyncIterable<Buffer>;
    };
    return toArchive(new Map([[name, { size: bytes }]]), whole, []);
  }
  const { entries, refused } = await openZip(source);
  return toArchive(entries, (entry) => readEntry(source, entry), refused);
}
