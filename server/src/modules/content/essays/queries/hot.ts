import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { idRow, parseRows } from '../../../../db/rows.ts';
import { BELOW_FLOOR, type HotSettings, RECENT_BONUS, WEIGHTS } from '../rules/hot.ts';

type Counter = keyof typeof WEIGHTS;

/** The weighted sum of six columns, as SQL; `engagementOf` in `rules/hot.ts`. */
export const engagementSql = (columnOf: (counter: Counter) => string): SQL =>
  sql.raw(
    Object.entries(WEIGHTS)
      .map(([counter, weight]) => `${weight} * ${columnOf(counter as Counter)}`)
      .join(' + '),
  );

/** `hotScore` in `rules/hot.ts`, as SQL. */
export const hotScoreSql = (
  { engagement, recent, publishedAt }: { engagement: SQL; recent: SQL; publishedAt: SQL },
  { hotDays, hotFloor }: HotSettings,
): SQL => sql`log((1 + ${engagement} + ${sql.raw(String(RECENT_BONUS))} * greatest(${recent}, 0))::float8)
  + extract(epoch from ${publishedAt})::float8 / (86400 * ${hotDays}::float8)
  - case when ${engagement} < ${hotFloor}::int then ${sql.raw(String(BELOW_FLOOR))} else 0 end`;

/** Published essays in id order, after `after`. */
export async function listPublishedIds(db: Db, after: string, limit: number): Promise<string[]> {
  const result = await db.execute(sql`
    select id from essays where id > ${after}::uuid and published_at is not null order by id limit ${limit}`);
  return parseRows(idRow, result).map(({ id }) => id);
}

/** Essays with engagement on one of the days, or with a recent engagement, in id order, after `after`. */
export async function listRecentIds(
  db: Db,
  days: readonly string[],
  after: string,
  limit: number,
): Promise<string[]> {
  // One index range per day, because a range of days is not in the order of the ids.
  const ofDay = (day: string) => sql`(
    select essay_id as id from essay_days where day = ${day}::date and essay_id > ${after}::uuid
    order by essay_id limit ${limit})`;
  const result = await db.execute(sql`
    select id from (
      ${sql.join(days.map(ofDay), sql` union `)} union (
        select id from essays where recent_engagement <> 0 and id > ${after}::uuid order by id limit ${limit})
    ) as recent order by id limit ${limit}`);
  return parseRows(idRow, result).map(({ id }) => id);
}

/** Sums up the engagement since a day and updates the scores; returns how many changed. Locks the essays in id order. */
export async function updateHotScores(
  db: Db,
  ids: string[],
  since: string,
  settings: HotSettings,
): Promise<number> {
  const list = sql`${sql.param(ids)}::uuid[]`;
  await db.execute(sql`select 1 from essays where id = any(${list}) order by id for no key update`);
  const score = hotScoreSql(
    { engagement: sql`ranked.engagement`, recent: sql`ranked.recent`, publishedAt: sql`ranked.published_at` },
    settings,
  );
  const { rowCount } = await db.execute(sql`
    update essays set recent_engagement = scored.recent, hot_score = scored.score
    from (
      select ranked.id, ranked.recent, coalesce(${score}, 0) as score from (
        select id, published_at, ${engagementSql((counter) => `${counter}_count`)} as engagement,
          coalesce((
            select sum(${engagementSql((counter) => `${counter}s`)})::int from essay_days
            where essay_id = essays.id and day >= ${since}::date), 0) as recent
        from essays where id = any(${list})) as ranked
    ) as scored
    where essays.id = scored.id
      and (essays.recent_engagement <> scored.recent or abs(essays.hot_score - scored.score) > 1e-9)`);
  return rowCount ?? 0;
}
