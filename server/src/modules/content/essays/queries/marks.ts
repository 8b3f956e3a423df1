import { sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { purchases } from '../tables.ts';

/** Whether a reader likes an essay, the folder they keep it in, and whether they bought it. */
export interface Marks {
  liked: boolean;
  folderId: string | null;
  /** It, or the column that it is in. */
  bought: boolean;
}

interface Place {
  id: string;
  columnId: string | null;
}

const bought = (userId: string, { id, columnId }: Place) => sql`
  exists (select 1 from ${purchases} where user_id = ${userId} and target_id in (${id}, ${columnId})) as bought`;

export async function findMarks(db: Db, userId: string, essay: Place): Promise<Marks> {
  const { rows } = await db.execute<{ liked: boolean; folder_id: string | null; bought: boolean }>(sql`
    select
      exists (select 1 from essay_likes where user_id = ${userId} and essay_id = ${essay.id}) as liked,
      (select folder_id from collections where user_id = ${userId} and essay_id = ${essay.id}),
      ${bought(userId, essay)}`);
  const [row] = rows;
  return {
    liked: row?.liked ?? false,
    folderId: row?.folder_id ?? null,
    bought: row?.bought ?? false,
  };
}

export async function findBought(db: Db, userId: string, essay: Place): Promise<boolean> {
  const { rows } = await db.execute<{ bought: boolean }>(sql`select ${bought(userId, essay)}`);
  return rows[0]?.bought ?? false;
}

/** Whether anybody bought one of these: an essay, a column. */
export async function isSold(db: Db, ids: (string | null)[]): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from ${purchases} where target_id = any(${sql.param(ids)}::uuid[]) limit 1`);
  return rows.length > 0;
}
