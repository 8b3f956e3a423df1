import { Worker } from 'node:worker_threads';
import type { Range } from './fold.ts';

const PATIENCE_MS = 10_000;
const MEMORY_MB = 256;
const MAY_HAVE_CODE = /[`\t]|~~~| {4}/;
/** Names of stored files are no words. */
const FILE = /\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}/g;

let turn: Promise<unknown> = Promise.resolve();

/**
 * What of a Markdown text is not to be screened, in order: code, and paths of uploads. Some texts take long to parse,
 * so it is done in a thread; one that is given up has no code.
 */
export async function listUnscreened(markdown: string): Promise<Range[]> {
  const files = [...markdown.matchAll(FILE)].map(({ 0: path, index }): Range => [index, index + path.length]);
  const code = MAY_HAVE_CODE.test(markdown) ? await inTurn(() => findCode(markdown)) : [];
  return [...code, ...files].sort((a, b) => a[0] - b[0]);
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = turn.then(work);
  turn = result;
  return result;
}

function findCode(markdown: string): Promise<Range[]> {
  const worker = new Worker(new URL('./code-worker.ts', import.meta.url), {
    workerData: markdown,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return new Promise((resolve) => {
    const end = (ranges: Range[]) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(ranges);
    };
    const timer = setTimeout(() => end([]), PATIENCE_MS);
    worker.on('message', end);
    worker.on('error', () => end([]));
  });
}
