/** A worker thread that reads one archive: it requests texts, sends items, and waits for a reply after each message. */
import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { distinctItems } from './distinct-items.ts';
import { finishItem } from './finish-item.ts';
import { type FormatName, formats } from './formats.ts';
import { type Archive, type ImportedItem, MAX_TEXT_BYTES } from './types.ts';

export interface FormatJob {
  format: FormatName;
  names: string[];
  /** Milliseconds since 1970 for each name; NaN if unknown. */
  times: Float64Array;
  port: MessagePort;
}

export type WorkerMessage = { requestedName: string; maxBytes: number } | { item: ImportedItem };

/** The reply to a request for a text; the reply to an item is null. */
export type WorkerReply = { content: ArrayBuffer } | { error: string } | null;

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default async function read({ format, names, times, port }: FormatJob): Promise<void> {
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
  for await (const item of distinctItems(formats[format].read(archive)))
    await send({ item: finishItem(item, now) });
}
