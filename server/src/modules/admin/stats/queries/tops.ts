import { eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { users } from '../../../accounts/users/tables.ts';
import { essayDays, essays } from '../../../content/essays/tables.ts';
import type { DayRange } from '../rules.ts';
import { statTops, type TopsRow } from '../tables.ts';

/** More than are displayed, because some may be deleted later. */
const MAX_STORED = 20;

const rankBy = (id: string, from: string) => sql`
  select coalesce(jsonb_agg(jsonb_build_object('id', replace(id::text, '-', ''), 'reads', reads) order by reads desc, id), '[]')
  from (select ${sql.raw(id)} as id, sum(reads)::bigint as reads from ${sql.raw(from)} group by 1
    order by reads desc, id limit ${MAX_STORED}) as top`;

export async function computeTops(db: Db, { key, from, to }: DayRange, now: Date): Promise<void> {
  await db.execute(sql`
    with sums as materialized (
      select essay_id, sum(reads) as reads from ${essayDays}
      where day between ${from}::date and ${to}::date group by 1 having sum(reads) > 0
    ), shown as materialized (
      select sums.essay_id, essays.author_id, sums.reads
      from sums join essays on essays.id = sums.essay_id and essays.deleted_at is null
    )
    insert into stat_tops (range, essays, writers, computed_at)
    select ${key}, (${rankBy('essay_id', 'shown')}), (${rankBy('author_id', 'shown')}), ${now.toISOString()}::timestamptz
    on conflict (range) do update set essays = excluded.essays, writers = excluded.writers,
      computed_at = excluded.computed_at`);
}

export const removeTopsBefore = (db: Db, time: Date): Promise<unknown> =>
  db.delete(statTops).where(lt(statTops.computedAt, time));

export const removeTops = (db: Db): Promise<unknown> => db.delete(statTops);

export async function findTops(db: Db, key: string): Promise<TopsRow | null> {
  const [row] = await db.select().from(statTops).where(eq(statTops.range, key));
  return row ?? null;
}

export interface TopEssay {
  id: string;
  title: string;
  authorId: string;
  author: string;
}

export const listTopEssays = (db: Db, ids: string[]): Promise<TopEssay[]> =>
  db
    .select({ id: essays.id, title: essays.title, authorId: users.id, author: users.displayName })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .where(sql`${inArray(essays.id, ids)} and ${essays.deletedAt} is null`);

export type TopWriter = Pick<typeof users.$inferSelect, 'id' | 'displayName' | 'headImg'>;

export const listTopWriters = (db: Db, ids: string[]): Promise<TopWriter[]> =>
  db
    .select({ id: users.id, displayName: users.displayName, headImg: users.headImg })
    .from(users)
    .where(inArray(users.id, ids));
