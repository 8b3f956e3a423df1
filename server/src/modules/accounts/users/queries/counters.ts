import { sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';

/** Locks the users in the order of their ids, which prevents deadlocks. */
export async function addToCounters(
  db: Db,
  changes: readonly { userId: string; essays?: number; reads?: number; likes?: number }[],
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map((each) => each.userId);
  await db.execute(
    sql`select 1 from users where id = any(${sql.param(ids)}::uuid[]) order by id for no key update`,
  );
  await db.execute(sql`
    update users set essay_count = essay_count + change.essays, read_count = read_count + change.reads,
      like_count = like_count + change.likes
    from unnest(
      ${sql.param(ids)}::uuid[],
      ${sql.param(changes.map((each) => each.essays ?? 0))}::int[],
      ${sql.param(changes.map((each) => each.reads ?? 0))}::int[],
      ${sql.param(changes.map((each) => each.likes ?? 0))}::int[]
    ) as change (user_id, essays, reads, likes)
    where users.id = change.user_id`);
}
