import type { FindAnswer, FindRequest } from './find-rules.ts';

const MAX_MS = 1000;

export const SLOW_MESSAGE = '这个正则表达式太慢了，请写得简单一些';

/** Runs requests in a worker, one at a time; the worker is stopped when it takes too long. */
export function createFindClient() {
  let worker: Worker | undefined;
  let ready: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Promise<Worker> {
    const started = new Worker(new URL('./find-worker.ts', import.meta.url), { type: 'module' });
    worker = started;
    return new Promise((resolve, reject) => {
      // The time for loading the worker does not count.
      started.addEventListener('message', () => resolve(started), { once: true });
      started.addEventListener('error', () => reject(new Error('the worker did not start')), { once: true });
    });
  }

  function stop(): void {
    worker?.terminate();
    worker = undefined;
    ready = undefined;
  }

  async function send(request: FindRequest): Promise<FindAnswer> {
    try {
      ready ??= start();
      const target = await ready;
      return await new Promise((resolve) => {
        const timer = setTimeout(() => {
          stop();
          resolve({ type: 'failed', message: SLOW_MESSAGE });
        }, MAX_MS);
        const onMessage = ({ data }: MessageEvent<FindAnswer>) => {
          clearTimeout(timer);
          resolve(data);
        };
        target.addEventListener('message', onMessage, { once: true });
        target.postMessage(request);
      });
    } catch {
      stop();
      return { type: 'failed', message: '没能载入查找，请检查网络' };
    }
  }

  return {
    ask(request: FindRequest): Promise<FindAnswer> {
      const next = last.then(() => send(request));
      last = next;
      return next;
    },
    stop,
  };
}
