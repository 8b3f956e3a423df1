import type { Ctx, Services } from '../../../../ctx.ts';
import { findShares } from '../queries/essays.ts';
import type { Shares } from '../rules/plan.ts';

/** Shares are sampled once an hour, so other processes may use the last sample for a minute longer. */
const KEPT_MS = 60_000;
const MOST_TOKENS = 20_000;

interface KnownShares {
  readAt: number;
  essays: number;
  /** 0: the sample does not have the token. */
  shares: Map<number, number>;
}

const kept = new WeakMap<Services, KnownShares>();

/** How common these tokens are; those of recent questions are not read again. */
export async function knownShares(ctx: Ctx, tokens: number[]): Promise<Shares> {
  const now = ctx.now.getTime();
  let known = kept.get(ctx.services);
  if (known === undefined || now - known.readAt > KEPT_MS || known.shares.size > MOST_TOKENS) {
    known = { readAt: now, essays: 0, shares: new Map() };
    kept.set(ctx.services, known);
  }
  const { shares } = known;
  const missing = tokens.filter((token) => !shares.has(token));
  if (missing.length > 0) {
    const read = await findShares(ctx.db, missing);
    known.essays = read.essays;
    for (const token of missing) shares.set(token, read.shares.get(token) ?? 0);
  }
  const asked = tokens.map((token): [number, number] => [token, shares.get(token) ?? 0]);
  return { essays: known.essays, shares: new Map(asked.filter(([, share]) => share > 0)) };
}

/** Drops what this process knows of an older sample. */
export const forgetShares = (services: Services): boolean => kept.delete(services);
