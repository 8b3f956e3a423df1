import { createHash } from 'node:crypto';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** The pool or a transaction: queries take either. */
export type Db = PgDatabase<NodePgQueryResultHKT>;

const UUID = 2950;
const BIGINT = 20;

// Ids travel as 32 hex characters everywhere in the program; fen and counts fit a double.
pg.types.setTypeParser(UUID, (value) => value.replaceAll('-', ''));
pg.types.setTypeParser(BIGINT, Number);

/** Of one process at the most: the usual pool, look-ups, searches, and what listens. */
export const CONNECTIONS = 20 + 8 + 8 + 4;

export function createPool(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    max: 20,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'mozhan',
    ...connection,
  });
  // A connection may die with the database, in use or idle; the pool replaces it at the next use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * For look-ups by key that many requests make: their statements are named and planned once for a connection. Planning
 * them anew, as PostgreSQL does while parameters might matter, takes several times as long as running them. By indexes,
 * since a plan made while a table is all but empty would read all of it ever after.
 */
export const createLookupPool = (connection: pg.PoolConfig): pg.Pool =>
  createPool({
    ...connection,
    max: 8,
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  });

const names = new Map<string, string>();
/** Each takes memory on every connection. Long questions have statements of their own; those are not worth it. */
const MOST_NAMES = 50;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

function named(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('text' in query)) return query;
  const isNamed = 'name' in query && query.name !== undefined;
  return isNamed || typeof query.text !== 'string' ? query : { ...query, name: nameOf(query.text) };
}

/** Names every statement by its text, so that each connection parses and plans it once. */
class NamingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((given: unknown, ...rest: unknown[]) => query(named(given), ...rest)) as typeof this.query;
  }
}

/**
 * For searching. GIN is what its questions are for; the planner does not know that a row's arrays are far from the row.
 * There is one way to answer them, whatever is asked, so they are planned once. Settings of the connection spare each
 * search a transaction.
 */
export const createSearchPool = (connection: pg.PoolConfig): pg.Pool =>
  createPool({
    ...connection,
    Client: NamingClient,
    max: 8,
    options:
      '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off -c max_parallel_workers_per_gather=0',
  });

const dbs = new WeakMap<pg.Pool | pg.PoolClient, Db>();

/** One for each pool or connection: what it has learned of the tables is used again. */
export function createDb(pool: pg.Pool | pg.PoolClient): Db {
  const db = dbs.get(pool) ?? drizzle({ client: pool });
  dbs.set(pool, db);
  return db;
}
