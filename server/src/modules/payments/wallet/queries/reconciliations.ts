import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, gte, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type ReconciliationRow, reconciliations } from '../tables.ts';

/** In the place of what was found for the same day before. */
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
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(reconciliations)
        .where(
          and(
            match,
            after === null
              ? undefined
              : sql`(${reconciliations.day}, ${reconciliations.id}) < (${after[0]}::date, ${after[1]}::uuid)`,
          ),
        )
        .orderBy(desc(reconciliations.day), desc(reconciliations.id))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(reconciliations, match),
    key: ({ day, id }) => [day, id],
    parts: ['day'],
  });
}

/** Days from this one on whose statement was not to be had. */
export async function listUnstatedDays(db: Db, from: string): Promise<string[]> {
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
