/** A worker thread that reads one archive: it requests texts, sends items, and waits for a reply after each message. */
import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { type FormatName, formats } from './formats.ts';
import { decodeReferences } from './html.ts';
import { type Archive, type ImportedEssay, MAX_TEXT_BYTES, type SkippedItem } from './types.ts';

export interface FormatJob {
  format: FormatName;
  names: string[];
  port: MessagePort;
}

export type WorkerMessage =
  | { requestedName: string; maxBytes: number }
  | { item: ImportedEssay | SkippedItem };

/** The reply to a request for a text; the reply to an item is null. */
export type WorkerReply = { content: ArrayBuffer } | { error: string } | null;

/** Limits the work, because each character reference is parsed separately. */
const MAX_NAME_LENGTH = 1000;
const decodeName = (name: string): string => decodeReferences(name.slice(0, MAX_NAME_LENGTH));

const decodeNames = (item: ImportedEssay | SkippedItem): ImportedEssay | SkippedItem =>
  'skipped' in item
    ? item
    : {
        ...item,
        title: decodeName(item.title),
        tags: item.tags.map(decodeName),
        category: item.category === null ? null : decodeName(item.category),
        author: item.author && { ...item.author, displayName: decodeName(item.author.displayName) },
      };

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default async function read({ format, names, port }: FormatJob): Promise<void> {
  const replies = on(port, 'message');
  const send = async (message: WorkerMessage): Promise<WorkerReply> => {
    port.postMessage(message);
    const { value } = await replies.next();
    return value?.[0] ?? null;
  };
  const known = new Set(names);
  const archive: Archive = {
    names: () => names,
    has: (name) => known.has(name),
    async readText(name, maxBytes = MAX_TEXT_BYTES) {
      const reply = await send({ requestedName: name, maxBytes });
      if (reply !== null && 'content' in reply) return new TextDecoder().decode(reply.content);
      throw new CallError('INVALID', { message: reply?.error ?? '' });
    },
  };
  for await (const item of formats[format].read(archive)) await send({ item: decodeNames(item) });
}
