import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { TIME_LIMIT_FACTOR } from '../config/time-limits.ts';

const SAMPLE_MS = 1000;
const OVERLOAD_DELAY_MS = 2000 * TIME_LIMIT_FACTOR;

/** Detects overload by event loop delay in two consecutive samples; a single pause is over when it is measured. */
export function createOverloadDetector(): {
  addSample: (delayMs: number) => void;
  isOverloaded: () => boolean;
} {
  let wasDelayed = false;
  let isDelayed = false;
  return {
    addSample(delayMs) {
      wasDelayed = isDelayed;
      isDelayed = delayMs > OVERLOAD_DELAY_MS;
    },
    isOverloaded: () => wasDelayed && isDelayed,
  };
}

/**
 * Rejects requests while the process is overloaded, so that accepted requests are completed in time. Assets are not
 * rejected: they cost little, and a page that was already sent would be broken without them.
 */
export function registerOverloadProtection(
  app: FastifyInstance,
  basePath: string,
  detector = createOverloadDetector(),
): void {
  const files = [`${basePath}/assets/`, `${basePath}/admin/assets/`];
  const delays = monitorEventLoopDelay();
  delays.enable();
  const timer = setInterval(() => {
    detector.addSample(delays.mean / 1e6);
    delays.reset();
  }, SAMPLE_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', async (request) => {
    if (!detector.isOverloaded() || files.some((folder) => request.url.startsWith(folder))) return;
    throw new CallError('UNAVAILABLE', { retryAfter: 10 });
  });
}
