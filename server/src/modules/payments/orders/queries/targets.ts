import type { EssayStatus } from '@mozhan/contract/essays.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';

export interface EssayTarget {
  title: string;
  price: number;
  authorId: string;
  status: EssayStatus;
  /** Whether it was ever on the shelf. */
  wasShown: boolean;
  isGone: boolean;
  /** Whether they bought it, or the column that it is in. */
  isOwned: boolean;
  /** Whether its author wants nothing of them. */
  isBlocked: boolean;
}

/** What somebody wants to buy or reward; it cannot be deleted until the transaction ends. */
export async function findEssayTarget(db: Db, userId: string, essayId: string): Promise<EssayTarget | null> {
  const { rows } = await db.execute<EssayTarget & Record<string, unknown>>(sql`
    select title, price, author_id as "authorId", status, was_shown as "wasShown", is_gone as "isGone",
      is_owned as "isOwned", is_blocked as "isBlocked"
    from order_target(${userId}, ${essayId})`);
  return rows[0] ?? null;
}

export interface ColumnTarget {
  name: string;
  price: number;
  authorId: string;
  essayCount: number;
  isOwned: boolean;
}

export async function findColumnTarget(
  db: Db,
  userId: string,
  columnId: string,
): Promise<ColumnTarget | null> {
  const { rows } = await db.execute<ColumnTarget & Record<string, unknown>>(sql`
    select name, price, author_id as "authorId", essay_count as "essayCount",
      exists (
        select 1 from purchases where purchases.user_id = ${userId} and target_id = columns.id
      ) as "isOwned"
    from columns where id = ${columnId} for key share`);
  return rows[0] ?? null;
}
