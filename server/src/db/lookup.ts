import type { Ctx, Services } from '../ctx.ts';
import { createBatch } from './batch.ts';
import { createDb, type Db } from './client.ts';

/** Given a connection, prepares the statement that finds rows by their keys. */
type Prepare<V> = (db: Db) => (keys: string[]) => Promise<Map<string, V>>;

/** Look-ups by key, shared by everyone who asks at the same time; inside a transaction it must be that transaction's own look. */
export function createLookup<V>(prepare: Prepare<V>): (ctx: Ctx, key: string) => Promise<V | null> {
  const batches = new WeakMap<Services, (key: string) => Promise<V | null>>();
  return async (ctx, key) => {
    if (ctx.effects !== null) return (await prepare(ctx.db)([key])).get(key) ?? null;
    let find = batches.get(ctx.services);
    if (find === undefined) {
      find = createBatch(prepare(createDb(ctx.services.lookups)));
      batches.set(ctx.services, find);
    }
    return find(key);
  };
}
