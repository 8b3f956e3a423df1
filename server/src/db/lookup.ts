import { type Ctx, oncePerApp } from '../ctx.ts';
import { createBatchLoader } from './batch.ts';
import { createDb, type Db } from './client.ts';

/** A statement that each connection plans once; inside a transaction it queries that transaction instead. */
export function createStatement<Args extends unknown[], Result>(
  prepare: (db: Db) => (...args: Args) => Promise<Result>,
): (ctx: Ctx, ...args: Args) => Promise<Result> {
  const statementOf = oncePerApp(({ lookupPool }) => prepare(createDb(lookupPool)));
  return (ctx, ...args) => {
    const run = ctx.effects === null ? statementOf(ctx.services) : prepare(ctx.db);
    return run(...args);
  };
}

/** Batches concurrent look-ups by key; inside a transaction it queries that transaction instead. */
export function createLookup<V>(
  prepare: (db: Db) => (keys: string[]) => Promise<Map<string, V>>,
): (ctx: Ctx, key: string) => Promise<V | null> {
  const loaderOf = oncePerApp(({ lookupPool }) => createBatchLoader(prepare(createDb(lookupPool))));
  return async (ctx, key) => {
    if (ctx.effects === null) return loaderOf(ctx.services)(key);
    return (await prepare(ctx.db)([key])).get(key) ?? null;
  };
}
