import { Worker } from 'node:worker_threads';
import { createLane } from '../lane.ts';
import type { Block, SetBlock } from './typeset-worker.ts';

export type { Block, SetBlock } from './typeset-worker.ts';

/** Fonts of every character there is would take some hundred megabytes. */
const MEMORY_MB = 256;
const PATIENCE_MS = 10_000;
/** Kept a little for the next words, then gone with all its fonts. */
const IDLE_MS = 60_000;

let worker: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

function startWorker(): Worker {
  const started = new Worker(new URL('./typeset-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // Waiting for the next words is no reason to stay alive.
  started.unref();
  return started;
}

function endWorker(): void {
  const ended = worker;
  worker = null;
  void ended?.terminate();
}

function ask(blocks: readonly Block[]): Promise<SetBlock[]> {
  clearTimeout(idle);
  worker ??= startWorker();
  const current = worker;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      current.off('error', fail).off('message', take);
      idle = setTimeout(endWorker, IDLE_MS);
      idle.unref();
    };
    const fail = (error: unknown): void => {
      settle();
      endWorker();
      reject(error);
    };
    const take = (done: SetBlock[]): void => {
      settle();
      resolve(done);
    };
    const timer = setTimeout(() => fail(new Error('words took too long to be set')), PATIENCE_MS);
    current.on('error', fail).on('message', take);
    current.postMessage(blocks);
  });
}

const lane = createLane(30);

/** Words as outlines, with the line breaks of Chinese. Made in a thread of its own: fonts are large. */
export const typeset = (blocks: readonly Block[]): Promise<SetBlock[]> => lane(() => ask(blocks));
