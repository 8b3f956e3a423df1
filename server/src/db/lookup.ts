import type { Ctx, Services } from '../ctx.ts';
import { createBatchLoader } from './batch.ts';
import { createDb, type Db } from './client.ts';

type Prepare<V> = (db: Db) => (keys: string[]) => Promise<Map<string, V>>;

/** A statement that each connection plans once; inside a transaction it queries that transaction instead. */
export function createStatement<Args extends unknown[], Result>(
  prepare: (db: Db) => (...args: Args) => Promise<Result>,
): (ctx: Ctx, ...args: Args) => Promise<Result> {
  const statements = new WeakMap<Services, (...args: Args) => Promise<Result>>();
  return (ctx, ...args) => {
    if (ctx.effects !== null) return prepare(ctx.db)(...args);
    let run = statements.get(ctx.services);
    if (run === undefined) {
      run = prepare(createDb(ctx.services.lookupPool));
      statements.set(ctx.services, run);
    }
    return run(...args);
  };
}

/** Batches concurrent look-ups by key; inside a transaction it queries that transaction instead. */
export function createLookup<V>(prepare: Prepare<V>): (ctx: Ctx, key: string) => Promise<V | null> {
  const batches = new WeakMap<Services, (key: string) => Promise<V | null>>();
  return async (ctx, key) => {
    if (ctx.effects !== null) return (await prepare(ctx.db)([key])).get(key) ?? null;
    let find = batches.get(ctx.services);
    if (find === undefined) {
      find = createBatchLoader(prepare(createDb(ctx.services.lookupPool)));
      batches.set(ctx.services, find);
    }
    return find(key);
  };
}
