import type { Services } from '@mozhan/server/ctx.ts';
import { createLookupPool, createSearchPool } from '@mozhan/server/db/client.ts';
import type pg from 'pg';

/** Search needs only the database and a page cache. */
export const createSearchServices = (pool: pg.Pool, connection: pg.PoolConfig): Services =>
  ({
    pool,
    searchPool: createSearchPool(connection),
    lookupPool: createLookupPool(connection),
    pages: { invalidate: () => {} },
    clock: () => new Date(),
  }) as unknown as Services;
