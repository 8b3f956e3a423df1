import type { Page } from '@mozhan/contract/common.ts';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { sqlAs, sqlInt } from '../../../../db/rows.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { attachments } from '../../../platform/uploads/tables.ts';
import {
  type ItemDetail,
  type ItemRow,
  type Restore,
  type TransferRow,
  transferItems,
  transfers,
} from '../tables.ts';

/** Without a heartbeat for this time, the process of a run is considered dead. */
export const STALLED_AFTER_MS = 2 * 60_000;

export const UNFINISHED = ['checking', 'waiting', 'running', 'undoing'] as const;

const author = alias(users, 'author');

export interface TransferWithUsers {
  transfer: TransferRow;
  author: User | null;
  by: User | null;
}

const selectTransfers = (db: Db) =>
  db
    .select({ transfer: transfers, author, by: users })
    .from(transfers)
    .leftJoin(author, eq(author.id, transfers.authorId))
    .leftJoin(users, eq(users.id, transfers.userId));

export const transferRows = createRowQueries(transfers, '没有找到这次导入或导出');

/** Lists runs of staff, newest first. */
export function listTransfers(
  db: Db,
  query: PageQuery & { kind?: Transfer['kind'] | undefined; id?: string | undefined },
): Promise<Page<TransferWithUsers>> {
  const match = and(
    eq(transfers.own, false),
    query.kind === undefined ? undefined : eq(transfers.kind, query.kind),
    query.id === undefined ? undefined : eq(transfers.id, query.id),
  );
  return listPage(db, query, {
    select: selectTransfers(db),
    match,
    id: transfers.id,
    key: ({ transfer }) => [transfer.id],
  });
}

export async function getTransfer(db: Db, id: string): Promise<TransferWithUsers> {
  const [row] = await selectTransfers(db).where(and(eq(transfers.id, id), eq(transfers.own, false)));
  if (row === undefined) throw transferRows.notFoundError();
  return row;
}

export async function findOwnExport(db: Db, userId: string): Promise<TransferRow | null> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.userId, userId), eq(transfers.own, true)))
    .orderBy(desc(transfers.id))
    .limit(1);
  return row ?? null;
}

export const listOwnExports = (db: Db, userId: string): Promise<TransferRow[]> =>
  db
    .select()
    .from(transfers)
    .where(and(eq(transfers.userId, userId), eq(transfers.own, true)));

/** Serializes export requests of one writer. */
export async function lockOwnExports(db: Db, userId: string): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

export async function lockTransfer(db: Db, id: string): Promise<TransferRow> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), eq(transfers.own, false)))
    .for('update');
  if (row === undefined) throw transferRows.notFoundError();
  return row;
}

/** The advisory lock serializes concurrent requests until the transaction ends. */
export async function isAnyUnfinished(db: Db, kind: Transfer['kind']): Promise<boolean> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('transfers'))`);
  const rows = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(inArray(transfers.status, [...UNFINISHED]), eq(transfers.kind, kind), eq(transfers.own, false)),
    )
    .limit(1);
  return rows.length > 0;
}

const isStalled = (now: Date): SQL | undefined =>
  or(sql`${transfers.runner} is null`, lt(transfers.aliveAt, new Date(now.getTime() - STALLED_AFTER_MS)));

/** Exports of writers run one at a time, so that they do not block other jobs. */
export async function isOtherOwnExportRunning(db: Db, id: string, now: Date): Promise<boolean> {
  const other = alias(transfers, 'other');
  const [row] = await db
    .select({ id: other.id })
    .from(transfers)
    .innerJoin(other, and(eq(other.own, true), eq(other.status, 'running'), ne(other.id, id)))
    .where(
      and(
        eq(transfers.id, id),
        eq(transfers.own, true),
        gt(other.aliveAt, new Date(now.getTime() - STALLED_AFTER_MS)),
        isNotNull(other.runner),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Claims a run without a live process; returns null if another process works on it or it has ended. */
export async function claimRun(db: Db, id: string, runner: string, now: Date): Promise<TransferRow | null> {
  const [row] = await db
    .update(transfers)
    .set({
      runner,
      aliveAt: now,
      // The previous process died during this run.
      failures: sql`${transfers.failures} + (case when ${transfers.runner} is null then 0 else 1 end)`,
      status: sql`case when ${transfers.status} = 'waiting' then 'running' else ${transfers.status} end`,
    })
    .where(and(eq(transfers.id, id), inArray(transfers.status, [...UNFINISHED]), isStalled(now)))
    .returning();
  return row ?? null;
}

/** Returns false if the run was cancelled, removed or claimed by another process. */
export async function updateClaimedRun(
  db: Db,
  id: string,
  runner: string,
  fields: Partial<TransferRow>,
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set(fields)
    .where(
      and(eq(transfers.id, id), eq(transfers.runner, runner), inArray(transfers.status, [...UNFINISHED])),
    )
    .returning({ id: transfers.id });
  return rows.length > 0;
}

export const listStalled = (db: Db, now: Date): Promise<{ id: string }[]> =>
  db
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(
        inArray(transfers.status, [...UNFINISHED]),
        lt(
          sql`coalesce(${transfers.aliveAt}, ${transfers.createdAt})`,
          new Date(now.getTime() - STALLED_AFTER_MS),
        ),
      ),
    );

export const listWithOldFiles = (db: Db, before: Date): Promise<TransferRow[]> =>
  db
    .select()
    .from(transfers)
    .where(and(isNotNull(transfers.filePath), lt(transfers.endedAt, before)));

/** Files are stored by content hash, so several rows may refer to the same file. */
export async function isFileReferenced(db: Db, path: string, exceptId: string | null): Promise<boolean> {
  const runs = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.filePath, path), exceptId === null ? undefined : ne(transfers.id, exceptId)))
    .limit(1);
  if (runs.length > 0) return true;
  const attached = await db
    .select({ id: attachments.id })
    .from(attachments)
    .where(eq(attachments.path, path))
    .limit(1);
  return attached.length > 0;
}

/** Returns false if an item with this key exists. */
export async function insertItem(db: Db, item: ItemRow): Promise<boolean> {
  const rows = await db
    .insert(transferItems)
    .values(item)
    .onConflictDoNothing()
    .returning({ key: transferItems.key });
  return rows.length > 0;
}

export async function findRestore(
  db: Db,
  { transferId, key }: Pick<ItemRow, 'transferId' | 'key'>,
): Promise<Restore | null> {
  const [row] = await db
    .select({ detail: transferItems.detail })
    .from(transferItems)
    .where(and(eq(transferItems.transferId, transferId), eq(transferItems.key, key)));
  return row?.detail?.restore ?? null;
}

export async function updateItem(
  db: Db,
  { transferId, key }: Pick<ItemRow, 'transferId' | 'key'>,
  fields: Partial<ItemRow>,
): Promise<void> {
  await db
    .update(transferItems)
    .set(fields)
    .where(and(eq(transferItems.transferId, transferId), eq(transferItems.key, key)));
}

export async function updateItems(
  db: Db,
  transferId: string,
  keys: readonly string[],
  fields: Partial<ItemRow>,
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .update(transferItems)
    .set(fields)
    .where(and(eq(transferItems.transferId, transferId), inArray(transferItems.key, [...keys])));
}

const sqlDetail = sqlAs(z.custom<ItemDetail | null>());

/** A larger batch would block the process. */
const ITEMS_PER_BATCH = 500;

/** All items in their order, read in batches; texts to restore are left out. */
export async function listAllItems(db: Db, transferId: string): Promise<ItemRow[]> {
  const items: ItemRow[] = [];
  for (;;) {
    const last = items.at(-1)?.seq;
    const batch = await db
      .select({
        ...getTableColumns(transferItems),
        detail: sqlDetail`case when ${transferItems.detail} ? 'restore'
          then ${transferItems.detail} - 'restore' || '{"isUpdate": true}' else ${transferItems.detail} end`,
      })
      .from(transferItems)
      .where(
        and(
          eq(transferItems.transferId, transferId),
          last === undefined ? undefined : gt(transferItems.seq, last),
        ),
      )
      .orderBy(asc(transferItems.seq))
      .limit(ITEMS_PER_BATCH);
    items.push(...batch);
    if (batch.length < ITEMS_PER_BATCH) return items;
  }
}

export function listItems(
  db: Db,
  query: PageQuery & {
    id: string;
    kind?: ItemRow['kind'] | undefined;
    outcome?: ItemRow['outcome'] | undefined;
    noted?: 1 | undefined;
  },
): Promise<Page<ItemRow>> {
  const match = and(
    eq(transferItems.transferId, query.id),
    query.kind === undefined ? undefined : eq(transferItems.kind, query.kind),
    query.outcome === undefined ? undefined : eq(transferItems.outcome, query.outcome),
    query.noted === undefined ? undefined : ne(transferItems.note, ''),
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(transferItems)
        .where(and(match, after === null ? undefined : sql`${transferItems.seq} > ${after.at(-1)}`))
        .orderBy(asc(transferItems.seq))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(transferItems, match),
    key: ({ seq }) => [seq],
  });
}

export const summarise = (db: Db, transferId: string): Promise<Transfer['report']> =>
  db
    .select({ kind: transferItems.kind, outcome: transferItems.outcome, count: sqlInt`count(*)::int` })
    .from(transferItems)
    .where(eq(transferItems.transferId, transferId))
    .groupBy(transferItems.kind, transferItems.outcome)
    .orderBy(transferItems.kind, transferItems.outcome);
