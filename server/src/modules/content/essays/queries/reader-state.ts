import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow } from '../../../../db/rows.ts';
import { collections, essayLikes, highlightedEssays, purchases } from '../tables.ts';

export interface ReaderState {
  liked: boolean;
  folderId: string | null;
  /** The essay or its column. */
  bought: boolean;
  /** How many passages the reader highlighted. */
  highlights: number;
}

interface EssayRef {
  id: string;
  columnId: string | null;
}

const bought = (userId: string, { id, columnId }: EssayRef) => sql`
  exists (select 1 from ${purchases} where user_id = ${userId} and target_id in (${id}, ${columnId})) as bought`;

const readerStateRow = z.object({
  liked: z.boolean(),
  folder_id: z.string().nullable(),
  bought: z.boolean(),
  highlights: z.int(),
});

export async function findReaderState(db: Db, userId: string, essay: EssayRef): Promise<ReaderState> {
  const result = await db.execute(sql`
    select
      exists (select 1 from ${essayLikes} where user_id = ${userId} and essay_id = ${essay.id}) as liked,
      (select folder_id from ${collections} where user_id = ${userId} and essay_id = ${essay.id}),
      coalesce(
        (select count from ${highlightedEssays} where user_id = ${userId} and essay_id = ${essay.id}), 0) as highlights,
      ${bought(userId, essay)}`);
  const { folder_id: folderId, ...state } = parseRow(readerStateRow, result);
  return { ...state, folderId };
}

const boughtRow = z.object({ bought: z.boolean() });

export async function hasBought(db: Db, userId: string, essay: EssayRef): Promise<boolean> {
  const result = await db.execute(sql`select ${bought(userId, essay)}`);
  return parseRow(boughtRow, result).bought;
}

export async function isSold(db: Db, ids: (string | null)[]): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from ${purchases} where target_id = any(${sql.param(ids)}::uuid[]) limit 1`);
  return rowCount !== 0;
}
