import type { LinkCheck } from '@mozhan/contract/link-checks.ts';
import type { Ctx } from '../../../../ctx.ts';
import { checkLink } from '../../../../outgoing/check-link.ts';
import { callerOf, createFairQueue } from '../../../../threads/fair-queue.ts';

const LINK_TIMEOUT_MS = 6000;
/** Shorter than the request timeout of the server. */
const TOTAL_TIMEOUT_MS = 12_000;
const CONCURRENT_LINKS = 4;

/** One check at a time per writer, and two in all, so that outgoing requests stay few. */
const checkQueue = createFairQueue({
  concurrency: 2,
  maxWaiting: 40,
  maxWaitingPerCaller: 2,
  busyMessage: '正在检查的链接太多，请稍后再试',
});

/** Links that were not reached in time are unknown. */
export async function checkLinks(ctx: Ctx, given: readonly string[]): Promise<LinkCheck[]> {
  const urls = [...new Set(given)];
  const allowPrivate = ctx.services.config.fetchAllowPrivate;
  const results = new Map<string, LinkCheck>();
  await checkQueue(callerOf(ctx), async (stop) => {
    const deadline = performance.now() + TOTAL_TIMEOUT_MS;
    const waiting = [...urls];
    const checkNext = async (): Promise<void> => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const timeoutMs = Math.min(LINK_TIMEOUT_MS, Math.ceil(deadline - performance.now()));
        if (timeoutMs <= 0 || stop.aborted) return;
        results.set(url, { url, ...(await checkLink(url, { timeoutMs, allowPrivate })) });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_LINKS }, checkNext));
  });
  return urls.map((url) => results.get(url) ?? { url, state: 'unknown', reason: '' });
}
