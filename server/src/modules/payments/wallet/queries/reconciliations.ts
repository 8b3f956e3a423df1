import type { Page } from '@mozhan/contract/common.ts';
import { and, eq, gte, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { type ReconciliationRow, reconciliations } from '../tables.ts';

/** Replaces earlier results of the same day. */
export async function upsertReconciliations(db: Db, rows: ReconciliationRow[]): Promise<ReconciliationRow[]> {
  return db
    .insert(reconciliations)
    .values(rows)
    .onConflictDoUpdate({
      target: [reconciliations.day, reconciliations.provider],
      set: {
        ledger: sql`excluded.ledger`,
        orders: sql`excluded.orders`,
        statement: sql`excluded.statement`,
        note: sql`excluded.note`,
        differences: sql`excluded.differences`,
        createdAt: sql`excluded.created_at`,
      },
    })
    .returning();
}

export function listReconciliations(
  db: Db,
  query: PageQuery & { day?: string | undefined },
): Promise<Page<ReconciliationRow>> {
  const match = query.day === undefined ? undefined : eq(reconciliations.day, query.day);
  return listPage(db, query, {
    select: db.select().from(reconciliations),
    match,
    by: reconciliations.day,
    id: reconciliations.id,
    key: ({ day, id }) => [day, id],
  });
}

export async function listDaysWithoutStatement(db: Db, from: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ day: reconciliations.day })
    .from(reconciliations)
    .where(
      and(
        gte(reconciliations.day, from),
        isNull(reconciliations.statement),
        ne(reconciliations.provider, 'balance'),
      ),
    );
  return rows.map(({ day }) => day);
}
