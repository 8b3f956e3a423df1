import type { RateLimit } from '@mozhan/contract/define.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type pg from 'pg';
import { z } from 'zod';
import { parseRows } from '../db/rows.ts';

export interface Limiter {
  /** Counts a call under each key in the database, exactly across processes; throws if a limit is exceeded. */
  checkExact: (keys: string[], limit: RateLimit, now: Date) => Promise<void>;
  /** Counts in memory and shares the counts with other processes once a second; throws if a limit is exceeded. */
  checkApproximate: (keys: string[], limit: RateLimit, now: Date) => void;
  close: () => Promise<void>;
}

const windowEnd = (now: Date, per: number) => Math.ceil((now.getTime() + 1) / (per * 1000)) * per * 1000;

function throwLimitExceeded(endsAt: number, now: Date): never {
  throw new CallError('TOO_MANY_REQUESTS', {
    retryAfter: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)),
  });
}

interface Tally {
  key: string;
  endsAt: number;
  /** Count of this process since the last exchange, and the total of all processes at that time. */
  pending: number;
  shared: number;
}

// Sorted by key, so that two processes that update the same keys cannot deadlock.
const ADD = `
  insert into rate_limits as r (key, ends_at, count)
  select key, to_timestamp(ends_at / 1000.0), count
  from unnest($1::text[], $2::bigint[], $3::int[]) as t (key, ends_at, count) order by key
  on conflict (key, ends_at) do update set count = r.count + excluded.count
  returning key, count`;

const sumRow = z.object({ key: z.string(), count: z.int() });

export function createLimiter(pool: pg.Pool, onError: (error: unknown) => void): Limiter {
  const tallies = new Map<string, Tally>();

  async function add(list: { key: string; endsAt: number; count: number }[]): Promise<Map<string, number>> {
    const result = await pool.query({
      name: 'add-rate-limits',
      text: ADD,
      values: [list.map((each) => each.key), list.map((each) => each.endsAt), list.map((each) => each.count)],
    });
    return new Map(parseRows(sumRow, result).map((row) => [row.key, row.count]));
  }

  async function exchange(): Promise<void> {
    const now = Date.now();
    const pendingTallies = [...tallies.values()].filter((tally) => tally.pending > 0);
    const sent = pendingTallies.map((tally) => ({
      key: tally.key,
      endsAt: tally.endsAt,
      count: tally.pending,
    }));
    if (sent.length > 0) {
      const sums = await add(sent);
      for (const [i, tally] of pendingTallies.entries()) {
        tally.pending -= sent[i]?.count ?? 0;
        tally.shared = sums.get(tally.key) ?? tally.shared;
      }
    }
    for (const [key, tally] of tallies) if (tally.endsAt <= now) tallies.delete(key);
  }

  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(exchange).catch(onError);
  }, 1000);
  timer.unref();

  return {
    async checkExact(keys, limit, now) {
      const endsAt = windowEnd(now, limit.per);
      const sums = await add(keys.map((key) => ({ key, endsAt, count: 1 })));
      for (const count of sums.values()) if (count > limit.max) throwLimitExceeded(endsAt, now);
    },
    checkApproximate(keys, limit, now) {
      const endsAt = windowEnd(now, limit.per);
      for (const key of keys) {
        let tally = tallies.get(key);
        if (tally === undefined || tally.endsAt !== endsAt) {
          tally = { key, endsAt, pending: 0, shared: 0 };
          tallies.set(key, tally);
        }
        if (tally.shared + tally.pending >= limit.max) throwLimitExceeded(endsAt, now);
        tally.pending += 1;
      }
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
