import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';

/** Whether a reader likes an essay, and the folder they keep it in. */
export interface Marks {
  liked: boolean;
  folderId: string | null;
}

export async function findMarks(db: Db, userId: string, essayId: string): Promise<Marks> {
  const { rows } = await db.execute<{ liked: boolean; folder_id: string | null }>(sql`
    select
      exists (select 1 from essay_likes where user_id = ${userId} and essay_id = ${essayId}) as liked,
      (select folder_id from collections where user_id = ${userId} and essay_id = ${essayId})`);
  return { liked: rows[0]?.liked ?? false, folderId: rows[0]?.folder_id ?? null };
}
