import { essayStatus } from '@mozhan/contract/essays.ts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows, sqlBoolean, sqlText } from '../../../../db/rows.ts';
import { blocks } from '../../../accounts/users/tables.ts';
import { columns, essays, purchases } from '../../../content/essays/tables.ts';

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

interface Interest {
  userId: string;
  essayId: string;
}

/** A key for lookups of `createEssayTargetQuery`; two ids of fixed length. */
export const interestKey = ({ userId, essayId }: Interest): string => userId + essayId;
const ID_LENGTH = 32;

/** The same for many users and essays and without the locks, for purchases that are checked again when they are written. */
export function createEssayTargetQuery(db: Db): (keys: string[]) => Promise<Map<string, EssayTarget>> {
  const isBought = (targetId: SQLWrapper) =>
    sql`exists (select 1 from ${purchases} where ${purchases.userId} = asked.user_id and ${purchases.targetId} = ${targetId})`;
  const query = db
    .select({
      key: sqlText`asked.key`,
      title: essays.title,
      price: essays.price,
      authorId: essays.authorId,
      status: essays.status,
      wasPublished: sqlBoolean`${essays.publishedAt} is not null`,
      isDeleted: sqlBoolean`${essays.deletedAt} is not null`,
      isOwned: sqlBoolean`${isBought(essays.id)} or ${isBought(essays.columnId)}`,
      isBlocked: sqlBoolean`exists (
        select 1 from ${blocks} where ${blocks.userId} = ${essays.authorId} and ${blocks.blockedId} = asked.user_id)`,
    })
    .from(
      sql`unnest(${sql.placeholder('keys')}::text[], ${sql.placeholder('userIds')}::uuid[], ${sql.placeholder('essayIds')}::uuid[])
        as asked(key, user_id, essay_id)`,
    )
    .innerJoin(essays, sql`${essays.id} = asked.essay_id`)
    .prepare('essay_targets');
  return async (keys) => {
    const rows = await query.execute({
      keys,
      userIds: keys.map((key) => key.slice(0, ID_LENGTH)),
      essayIds: keys.map((key) => key.slice(ID_LENGTH)),
    });
    return new Map(rows.map(({ key, ...target }) => [key, target]));
  };
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
