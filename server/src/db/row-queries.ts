import { CallError } from '@mozhan/contract/errors.ts';
import { eq, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';

export interface RowQueries<Row, NewRow = Row> {
  find(db: Db, id: string): Promise<Row | null>;
  get(db: Db, id: string): Promise<Row>;
  /** Locks the row until the transaction ends. */
  lock(db: Db, id: string): Promise<Row>;
  count(db: Db, match?: SQL): Promise<number>;
  insert(db: Db, ...rows: NewRow[]): Promise<void>;
  update(db: Db, id: string, changes: Partial<NewRow>): Promise<void>;
  remove(db: Db, id: string): Promise<void>;
  /** The error that `get` and `lock` throw. */
  notFoundError(): CallError;
}

export function createRowQueries<T extends PgTable & { id: PgColumn }>(
  table: T,
  notFound: string,
): RowQueries<T['$inferSelect'], T['$inferInsert']> {
  type Row = T['$inferSelect'];
  const isRow = (id: string) => eq(table.id, id);
  const select = (db: Db, id: string) => db.select().from<PgTable>(table).where(isRow(id));
  const notFoundError = () => new CallError('NOT_FOUND', { message: notFound });

  function required([row]: Row[]): Row {
    if (row === undefined) throw notFoundError();
    return row;
  }

  return {
    find: async (db, id) => (await select(db, id))[0] ?? null,
    get: async (db, id) => required(await select(db, id)),
    lock: async (db, id) => required(await select(db, id).for('update')),
    count: (db, match) => db.$count(table, match),
    async insert(db, ...rows) {
      if (rows.length > 0) await db.insert(table).values(rows);
    },
    async update(db, id, changes) {
      // Drizzle rejects an empty update.
      if (Object.keys(changes).length > 0) await db.update<PgTable>(table).set(changes).where(isRow(id));
    },
    async remove(db, id) {
      await db.delete(table).where(isRow(id));
    },
    notFoundError,
  };
}
