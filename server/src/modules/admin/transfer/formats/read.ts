import { on } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { createPool, isLost } from '../../../../threads/threads.ts';
import type { Heard, ReadingJob, Said } from './format-worker.ts';
import type { FormatName } from './formats.ts';
import type { ImportedEssay, SkippedItem, Upload } from './types.ts';

/** Longer than any honest file takes to its next essay, on a busy machine too. */
const PATIENCE_MS = 60_000;

const pool = createPool<ReadingJob, void>({
  file: new URL('./format-worker.ts', import.meta.url),
  // Enough for the export of a whole site, which is one text.
  memoryMb: 1024,
  idleMs: 0,
  // As many as there are long jobs at a time.
  threads: 2,
});

const titleOf = (item: ImportedEssay | SkippedItem): string => item.title || item.key;

const stuck = (last: string, cause?: unknown): CallError => {
  const where = last === '' ? '这个文件' : `「${last}」之后的内容`;
  return new CallError('INVALID', { message: `${where}太大或太复杂，无法读取`, cause });
};

async function answer(upload: Upload, name: string, most: number): Promise<Heard> {
  try {
    return { content: await upload.content(name, most) };
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'INVALID')) throw error;
    return { refused: error.message };
  }
}

/**
 * What an archive of another program holds, read in a thread of its own: no request waits behind it, and one that never
 * ends, or fills the memory, is ended.
 */
export async function* readFormat(
  format: FormatName,
  upload: Upload,
  patienceMs = PATIENCE_MS,
): AsyncGenerator<ImportedEssay | SkippedItem> {
  const { port1: port, port2 } = new MessageChannel();
  const stop = new AbortController();
  const messages = on(port, 'message', { close: ['close'] });
  const job: ReadingJob = { format, names: upload.names(), port: port2 };
  // What goes wrong in the thread closes the port, and is looked at below.
  const done = pool.run(job, { transferList: [port2], signal: stop.signal }).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  void done.then(() => port.close());
  const watch = () => setTimeout(() => stop.abort(), patienceMs);
  let timer = watch();
  let last = '';
  try {
    for await (const [said] of messages as AsyncIterable<[Said]>) {
      clearTimeout(timer);
      let heard: Heard = null;
      if ('item' in said) {
        last = titleOf(said.item);
        yield said.item;
      } else heard = await answer(upload, said.wanted, said.most);
      port.postMessage(heard, heard !== null && 'content' in heard ? [heard.content] : []);
      timer = watch();
    }
    const failure = await done;
    if (failure !== null)
      throw isLost(failure.error, stop.signal) ? stuck(last, failure.error) : failure.error;
  } finally {
    clearTimeout(timer);
    stop.abort();
    await done;
  }
}
