import { essayStatus } from '@mozhan/contract/essays.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows } from '../../../../db/rows.ts';
import { columns, purchases } from '../../../content/essays/tables.ts';

const essayTarget = z.object({
  title: z.string(),
  price: z.int(),
  authorId: z.string(),
  status: essayStatus,
  wasPublished: z.boolean(),
  isDeleted: z.boolean(),
  isOwned: z.boolean(),
  isBlocked: z.boolean(),
});
export type EssayTarget = z.output<typeof essayTarget>;

/** Locks the essay against deletion until the transaction ends. */
export async function findEssayTarget(db: Db, userId: string, essayId: string): Promise<EssayTarget | null> {
  const result = await db.execute(sql`
    select title, price, author_id as "authorId", status, was_published as "wasPublished", is_deleted as "isDeleted",
      is_owned as "isOwned", is_blocked as "isBlocked"
    from order_target(${userId}, ${essayId})`);
  return parseRows(essayTarget, result)[0] ?? null;
}

const columnTarget = z.object({
  name: z.string(),
  price: z.int(),
  authorId: z.string(),
  essayCount: z.int(),
  isOwned: z.boolean(),
});
export type ColumnTarget = z.output<typeof columnTarget>;

export async function findColumnTarget(
  db: Db,
  userId: string,
  columnId: string,
): Promise<ColumnTarget | null> {
  const result = await db.execute(sql`
    select name, price, author_id as "authorId", essay_count as "essayCount",
      exists (
        select 1 from ${purchases} where ${purchases.userId} = ${userId} and target_id = columns.id
      ) as "isOwned"
    from ${columns} where id = ${columnId} for key share`);
  return parseRows(columnTarget, result)[0] ?? null;
}
