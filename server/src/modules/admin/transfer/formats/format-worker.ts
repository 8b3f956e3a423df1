/** A thread that reads one archive. It asks for texts and hands over what it has read, and goes on when it is answered. */
import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { type FormatName, formats } from './formats.ts';
import { decodeReferences } from './html.ts';
import { type Archive, type ImportedEssay, LONGEST_TEXT, type SkippedItem } from './types.ts';

export interface ReadingJob {
  format: FormatName;
  names: string[];
  /** For asking and handing over. */
  port: MessagePort;
}

export type Said = { wanted: string; most: number } | { item: ImportedEssay | SkippedItem };

/** To a text that was wanted; an item is answered with nothing. */
export type Heard = { content: ArrayBuffer } | { refused: string } | null;

/** Names as people read them. None is longer than a title may be, but each reference is parsed by itself. */
const LONGEST_NAME = 1000;
const plain = (name: string): string => decodeReferences(name.slice(0, LONGEST_NAME));

const decoded = (item: ImportedEssay | SkippedItem): ImportedEssay | SkippedItem =>
  'skipped' in item
    ? item
    : {
        ...item,
        title: plain(item.title),
        tags: item.tags.map(plain),
        category: item.category === null ? null : plain(item.category),
        author: item.author && { ...item.author, displayName: plain(item.author.displayName) },
      };

// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default async function read({ format, names, port }: ReadingJob): Promise<void> {
  const heard = on(port, 'message');
  const say = async (said: Said): Promise<Heard> => {
    port.postMessage(said);
    const { value } = await heard.next();
    return value?.[0] ?? null;
  };
  const known = new Set(names);
  const archive: Archive = {
    names: () => names,
    has: (name) => known.has(name),
    async text(name, most = LONGEST_TEXT) {
      const answer = await say({ wanted: name, most });
      if (answer !== null && 'content' in answer) return new TextDecoder().decode(answer.content);
      throw new CallError('INVALID', { message: answer?.refused ?? '' });
    },
  };
  for await (const item of formats[format].read(archive)) await say({ item: decoded(item) });
}
