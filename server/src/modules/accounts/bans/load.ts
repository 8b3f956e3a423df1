import type { Db } from '../../../db/client.ts';
import { type ActiveBan, type BanMatcher, createMatcher, matchNothing } from './matcher.ts';
import { listActiveBans } from './queries.ts';

export interface LoadedBans {
  list: readonly ActiveBan[];
  matches: BanMatcher;
}

export const noBans: LoadedBans = { list: [], matches: matchNothing };

/** Every process calls this at its start and after a change. */
export async function loadBans(db: Db, now: Date): Promise<LoadedBans> {
  const list = await listActiveBans(db, now);
  return { list, matches: await createMatcher(list) };
}
