/**
 * A worker thread that reads one archive: it requests texts, sends items or an analysis of them, and waits for a reply
 * after each message.
 */
import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Analysis, createAnalysis, type FoundItem } from './analysis.ts';
import { distinctItems } from './distinct-items.ts';
import { finishItem } from './finish-item.ts';
import { type FormatName, formats } from './formats.ts';
import { type Archive, type ImportedItem, MAX_TEXT_BYTES } from './types.ts';

export interface FormatJob {
  format: FormatName;
  names: string[];
  /** Milliseconds since 1970 for each name; NaN if unknown. */
  times: Float64Array;
  /** The bytes of each name if the archive is only analysed, otherwise null. */
  sizes: Float64Array | null;
  port: MessagePort;
}

/** Parts of an analysis: the number of items since the last part; at the end the result, then all items. */
export type AnalysisPart = { count: number } | { analysis: Analysis } | { found: FoundItem[] };

export type WorkerMessage =
  | { requestedName: string; maxBytes: number }
  | { item: ImportedItem }
  | { part: AnalysisPart };

const COUNT_EVERY = 50;
const MAX_FOUND = 500;

/** The reply to a request for a text; the reply to anything else is null. */
export type WorkerReply = { content: ArrayBuffer } | { error: string } | null;

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default async function read({ format, names, times, sizes, port }: FormatJob): Promise<void> {
  const replies = on(port, 'message');
  const send = async (message: WorkerMessage): Promise<WorkerReply> => {
    port.postMessage(message);
    const { value } = await replies.next();
    return value?.[0] ?? null;
  };
  const known = new Map(names.map((name, index) => [name, times[index] ?? Number.NaN]));
  const archive: Archive = {
    names: () => names,
    has: (name) => known.has(name),
    modifiedAt(name) {
      const time = known.get(name);
      return time === undefined || Number.isNaN(time) ? null : time;
    },
    async readText(name, maxBytes = MAX_TEXT_BYTES) {
      const reply = await send({ requestedName: name, maxBytes });
      if (reply !== null && 'content' in reply) return new TextDecoder().decode(reply.content);
      throw new CallError('INVALID', { message: reply?.error ?? '' });
    },
  };
  const now = new Date();
  const items = distinctItems(formats[format].read(archive));
  if (sizes === null) {
    for await (const item of items) await send({ item: finishItem(item, now) });
    return;
  }
  const bytes = new Map(names.map((name, index) => [name, sizes[index] ?? 0]));
  const analysis = createAnalysis((name) => bytes.get(name) ?? 0, now);
  let count = 0;
  for await (const item of items) {
    analysis.add(finishItem(item, now));
    if (item.kind !== 'site') count += 1;
    if (count < COUNT_EVERY) continue;
    await send({ part: { count } });
    count = 0;
  }
  await send({ part: { count } });
  await send({ part: { analysis: analysis.result() } });
  for (let start = 0; start < analysis.found.length; start += MAX_FOUND)
    await send({ part: { found: analysis.found.slice(start, start + MAX_FOUND) } });
}
