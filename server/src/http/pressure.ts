import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

const SAMPLE_MS = 1000;
const LATE_MS = 2000;

/** Too much at once: late in two samples running. One long pause is over by the time it is seen. */
export function createStrain(): { note: (delayMs: number) => void; isTooMuch: () => boolean } {
  let before = false;
  let now = false;
  return {
    note(delayMs) {
      before = now;
      now = delayMs > LATE_MS;
    },
    isTooMuch: () => before && now,
  };
}

/**
 * Refuses requests while the process cannot keep up, so that those it has taken are answered in time. The files of a
 * page that was already given are not refused: they cost next to nothing, and without them the page is broken.
 */
export function pressure(app: FastifyInstance, basePath: string, strain = createStrain()): void {
  const files = [`${basePath}/assets/`, `${basePath}/admin/assets/`];
  const delays = monitorEventLoopDelay();
  delays.enable();
  const timer = setInterval(() => {
    strain.note(delays.mean / 1e6);
    delays.reset();
  }, SAMPLE_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', async (request) => {
    if (!strain.isTooMuch() || files.some((folder) => request.url.startsWith(folder))) return;
    throw new CallError('UNAVAILABLE', { retryAfter: 10 });
  });
}
