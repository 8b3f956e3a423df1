import { createHash } from 'node:crypto';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { TIME_LIMIT_FACTOR } from '../config/time-limits.ts';

export type Db = PgDatabase<NodePgQueryResultHKT>;

const UUID = 2950;
const BIGINT = 20;

// Ids are 32 hex characters everywhere in the program; fen and counts fit a double.
pg.types.setTypeParser(UUID, (value) => value.replaceAll('-', ''));
pg.types.setTypeParser(BIGINT, Number);

/** Maximum per process: the default pool, look-ups, searches, and listening connections. */
export const MAX_CONNECTIONS_PER_PROCESS = 20 + 8 + 8 + 4;

export function createPool(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    max: 20,
    connectionTimeoutMillis: 5000 * TIME_LIMIT_FACTOR,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000 * TIME_LIMIT_FACTOR,
    idle_in_transaction_session_timeout: 60_000 * TIME_LIMIT_FACTOR,
    application_name: 'mozhan',
    ...connection,
  });
  // A lost connection must not crash the process; the pool replaces it at the next use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * For frequent look-ups by key with named statements, which are planned once per connection, since planning takes several
 * times as long as running them. Sequential scans are off, because a generic plan made for an almost empty table would
 * keep scanning it.
 */
export const createLookupPool = (connection: pg.PoolConfig): pg.Pool =>
  createPool({
    ...connection,
    max: 8,
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  });

const statementNames = new Map<string, string>();
/** A named statement takes memory on every connection, so rare long statements are not named. */
const MAX_STATEMENT_NAMES = 50;

function statementNameOf(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= MAX_STATEMENT_NAMES) return known;
  const name = createHash('sha256').update(text).digest('base64url');
  statementNames.set(text, name);
  return name;
}

function withStatementName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('text' in query)) return query;
  const isNamed = 'name' in query && query.name !== undefined;
  return isNamed || typeof query.text !== 'string' ? query : { ...query, name: statementNameOf(query.text) };
}

/** Names every statement by its text, so that each connection parses and plans it once. */
class NamedStatementClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((given: unknown, ...rest: unknown[]) =>
      query(withStatementName(given), ...rest)) as typeof this.query;
  }
}

/**
 * For searches by GIN index: the planner underestimates the cost of reading the large arrays of a row. The plan does not
 * depend on the parameters, so it is made once. Connection settings avoid a transaction per search.
 */
export const createSearchPool = (connection: pg.PoolConfig): pg.Pool =>
  createPool({
    ...connection,
    Client: NamedStatementClient,
    max: 8,
    options:
      '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off -c max_parallel_workers_per_gather=0',
  });

const dbs = new WeakMap<pg.Pool | pg.PoolClient, Db>();

export function createDb(pool: pg.Pool | pg.PoolClient): Db {
  const db = dbs.get(pool) ?? drizzle({ client: pool });
  dbs.set(pool, db);
  return db;
}
