import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CallError } from '#contract/errors.ts';
import type { Heard, ReadingJob, Said } from './format-worker.ts';
import type { FormatName } from './formats.ts';
import type { ImportedEssay, SkippedItem, Upload } from './types.ts';

/** Enough for the export of a whole site, which is one text. */
const MEMORY_MB = 1024;
/** Longer than any honest file takes to its next essay, on a busy machine too. */
const PATIENCE_MS = 60_000;

const titleOf = (item: ImportedEssay | SkippedItem): string => item.title || item.key;

const stuck = (last: string, cause?: unknown): CallError => {
  const where = last === '' ? '这个文件' : `「${last}」之后的内容`;
  return new CallError('INVALID', { message: `${where}太大或太复杂，无法读取`, cause });
};

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

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
  const job: ReadingJob = { format, names: upload.names() };
  const worker = new Worker(new URL('./format-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const watch = () => setTimeout(() => void worker.terminate(), patienceMs);
  let timer = watch();
  let last = '';
  try {
    const messages = on(worker, 'message', { close: ['exit'] });
    const hear = () =>
      messages.next().catch((error: unknown) => {
        throw isOutOfMemory(error) ? stuck(last, error) : error;
      });
    for (let next = await hear(); !next.done; next = await hear()) {
      clearTimeout(timer);
      const [said] = next.value as [Said];
      if ('end' in said) return;
      let heard: Heard = null;
      if ('item' in said) {
        last = titleOf(said.item);
        yield said.item;
      } else heard = await answer(upload, said.wanted, said.most);
      worker.postMessage(heard, heard !== null && 'content' in heard ? [heard.content] : []);
      timer = watch();
    }
    throw stuck(last);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
