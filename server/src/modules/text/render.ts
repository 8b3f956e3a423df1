import { Worker } from 'node:worker_threads';
import { invalid } from '#contract/errors.ts';
import type { Rendered } from './pipeline.ts';
import type { TextAnswer } from './text-worker.ts';

/** Longer than any honest text of the greatest length takes. */
const PATIENCE_MS = 10_000;
const MEMORY_MB = 256;
const TOO_HARD = '内容太复杂，无法排版，请简化后再试';

let worker: Worker | undefined;
/** Settled with the job before: one text at a time. */
let turn: Promise<unknown> = Promise.resolve();

function startWorker(): Worker {
  const started = new Worker(new URL('./text-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // Waiting for the next text is no reason to stay alive.
  started.unref();
  return started;
}

/** A worker that takes too long or runs out of memory is ended, and the next text gets a new one. */
function ask(markdown: string): Promise<Rendered> {
  worker ??= startWorker();
  const current = worker;
  return new Promise<Rendered>((resolve, reject) => {
    function settle(): void {
      clearTimeout(timer);
      current.off('error', giveUp).off('message', take);
    }
    function giveUp(): void {
      settle();
      worker = undefined;
      void current.terminate();
      reject(invalid('content', TOO_HARD));
    }
    function take(answer: TextAnswer): void {
      settle();
      if ('rendered' in answer) resolve(answer.rendered);
      else reject(invalid('content', answer.refused));
    }
    const timer = setTimeout(giveUp, PATIENCE_MS);
    current.on('error', giveUp).on('message', take);
    current.postMessage(markdown);
  });
}

/** Safe HTML for a page, whoever wrote the text, and its headings. Made in a thread of its own: no request waits behind it. */
export function renderMarkdown(markdown: string): Promise<Rendered> {
  const answer = turn.then(() => ask(markdown));
  turn = answer.catch(() => {});
  return answer;
}
