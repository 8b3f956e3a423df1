import type { Ctx, Services } from '../../../../ctx.ts';
import { findTokenShares } from '../queries/essays.ts';
import type { TokenShares } from '../rules/query-plan.ts';

/** Shares are sampled hourly, so other processes may use the previous sample for a minute. */
const CACHE_TTL_MS = 60_000;
const MAX_CACHED_TOKENS = 20_000;

interface CachedShares {
  readAt: number;
  essays: number;
  /** 0 if the sample does not contain the token. */
  shares: Map<number, number>;
}

const cache = new WeakMap<Services, CachedShares>();

export async function getTokenShares(ctx: Ctx, tokens: number[]): Promise<TokenShares> {
  const now = ctx.now.getTime();
  let cached = cache.get(ctx.services);
  if (cached === undefined || now - cached.readAt > CACHE_TTL_MS || cached.shares.size > MAX_CACHED_TOKENS) {
    cached = { readAt: now, essays: 0, shares: new Map() };
    cache.set(ctx.services, cached);
  }
  const { shares } = cached;
  const missing = tokens.filter((token) => !shares.has(token));
  if (missing.length > 0) {
    const read = await findTokenShares(ctx.db, missing);
    cached.essays = read.essays;
    for (const token of missing) shares.set(token, read.shares.get(token) ?? 0);
  }
  const requested = tokens.map((token): [number, number] => [token, shares.get(token) ?? 0]);
  return { essays: cached.essays, shares: new Map(requested.filter(([, share]) => share > 0)) };
}

export const clearShareCache = (services: Services): boolean => cache.delete(services);
