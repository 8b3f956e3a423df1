/** A thread that reads one archive. It asks for texts and hands over what it has read, and goes on when it is answered. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { CallError } from '#contract/errors.ts';
import { type FormatName, formats } from './formats.ts';
import { type Archive, type ImportedEssay, LONGEST_TEXT, type SkippedItem } from './types.ts';

export interface ReadingJob {
  format: FormatName;
  names: string[];
}

export type Said = { wanted: string; most: number } | { item: ImportedEssay | SkippedItem } | { end: true };

/** To a text that was wanted; an item is answered with nothing. */
export type Heard = { content: ArrayBuffer } | { refused: string } | null;

const { format, names } = workerData as ReadingJob;
const heard = on(parentPort as NonNullable<typeof parentPort>, 'message');

async function say(said: Said): Promise<Heard> {
  parentPort?.postMessage(said);
  const { value } = await heard.next();
  return value?.[0] ?? null;
}

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

for await (const item of formats[format].read(archive)) await say({ item });
parentPort?.postMessage({ end: true } satisfies Said);
