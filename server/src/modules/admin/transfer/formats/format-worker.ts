/**
 * A worker thread that reads one archive: it requests names and texts, sends items or an analysis of them, and waits for
 * a reply after each message.
 */
import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Analysis, createAnalysis, type FoundItem } from './analysis.ts';
import { distinctItems } from './distinct-items.ts';
import { finishItem } from './finish-item.ts';
import { type FormatName, formats } from './formats.ts';
import { type Archive, type ImportedItem, MAX_TEXT_BYTES, type Upload } from './types.ts';

export interface FormatJob {
  /** Without a format the job only detects it. */
  format: FormatName | null;
  isAnalysis: boolean;
  port: MessagePort;
}

/** Parts of an analysis: the number of items since the last part; at the end the result, then all items. */
export type AnalysisPart = { count: number } | { analysis: Analysis } | { found: FoundItem[] };

export type WorkerRequest =
  | { requestedName: string; maxBytes: number }
  | { requestedStart: string }
  | { namesFrom: number };
export type WorkerResult = { item: ImportedItem } | { part: AnalysisPart } | { detected: FormatName | null };

const COUNT_EVERY = 50;
/** A shorter time than the main thread waits for a message, also if each item takes long. */
const COUNT_EVERY_MS = 2000;
const MAX_FOUND = 500;

/** The next files; none at the end. Times are milliseconds since 1970, NaN if unknown. */
export interface NameBatch {
  names: string[];
  times: number[];
  sizes: number[];
}

/** The reply to a result is null. */
export type WorkerReply = { content: ArrayBuffer } | { start: string } | { error: string } | NameBatch | null;

type Send = (message: WorkerRequest | WorkerResult) => Promise<WorkerReply>;

/** The names come in batches, because the main thread would need too long for all of them at once. */
async function openArchive(send: Send): Promise<{ archive: Archive & Upload; sizes: Map<string, number> }> {
  const times = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (;;) {
    const batch = await send({ namesFrom: times.size });
    if (batch === null || !('names' in batch) || batch.names.length === 0) break;
    for (const [index, name] of batch.names.entries()) {
      times.set(name, batch.times[index] ?? Number.NaN);
      sizes.set(name, batch.sizes[index] ?? 0);
    }
  }
  const names = [...times.keys()];
  async function readContent(name: string, maxBytes: number): Promise<ArrayBuffer> {
    const reply = await send({ requestedName: name, maxBytes });
    if (reply !== null && 'content' in reply) return reply.content;
    throw new CallError('INVALID', { message: reply !== null && 'error' in reply ? reply.error : '' });
  }
  return {
    sizes,
    archive: {
      names: () => names,
      has: (name) => times.has(name),
      modifiedAt(name) {
        const time = times.get(name);
        return time === undefined || Number.isNaN(time) ? null : time;
      },
      readContent,
      readText: async (name, maxBytes = MAX_TEXT_BYTES) =>
        new TextDecoder().decode(await readContent(name, maxBytes)),
      async readStart(name) {
        const reply = await send({ requestedStart: name });
        return reply !== null && 'start' in reply ? reply.start : '';
      },
    },
  };
}

/** The first format that recognizes the archive. */
async function detect(archive: Upload): Promise<FormatName | null> {
  for (const name of Object.keys(formats) as FormatName[])
    if (await formats[name].detect(archive)) return name;
  return null;
}

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default async function read({ format, isAnalysis, port }: FormatJob): Promise<void> {
  const replies = on(port, 'message');
  const send: Send = async (message) => {
    port.postMessage(message);
    const { value } = await replies.next();
    return value?.[0] ?? null;
  };
  const { archive, sizes } = await openArchive(send);
  if (format === null) {
    await send({ detected: await detect(archive) });
    return;
  }
  const now = new Date();
  const items = distinctItems(formats[format].read(archive));
  if (!isAnalysis) {
    for await (const item of items) await send({ item: finishItem(item, now) });
    return;
  }
  const analysis = createAnalysis((name) => sizes.get(name) ?? 0, now);
  let count = 0;
  let sentAt = performance.now();
  for await (const item of items) {
    analysis.add(finishItem(item, now));
    if (item.kind !== 'site') count += 1;
    if (count < COUNT_EVERY && performance.now() < sentAt + COUNT_EVERY_MS) continue;
    await send({ part: { count } });
    count = 0;
    sentAt = performance.now();
  }
  await send({ part: { count } });
  await send({ part: { analysis: analysis.result() } });
  for (let start = 0; start < analysis.found.length; start += MAX_FOUND)
    await send({ part: { found: analysis.found.slice(start, start + MAX_FOUND) } });
}
