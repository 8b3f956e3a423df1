import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { parseRows } from '../../../../db/rows.ts';
import { addToCounters } from '../../../accounts/users/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { recentDays } from '../rules/hot.ts';
import { engagementSql, hotScoreSql } from './hot.ts';

/** Increments of an essay's counters; negative values decrement. */
export interface EssayChange {
  essayId: string;
  reads?: number;
  likes?: number;
  cmts?: number;
  collects?: number;
  shares?: number;
  downloads?: number;
  rewards?: number;
}

const COUNTERS = ['reads', 'likes', 'cmts', 'collects', 'shares', 'downloads', 'rewards'] as const;

const ENGAGEMENT = engagementSql((counter) => `${counter}_count`);
const ADDED = engagementSql((counter) => `change.${counter}s`);

const changedEssay = z.object({
  id: z.string(),
  authorId: z.string(),
  readCount: z.int(),
  likeCount: z.int(),
  cmtCount: z.int(),
  collectCount: z.int(),
  shareCount: z.int(),
});
export type ChangedEssay = z.output<typeof changedEssay>;

/**
 * The only function that changes an essay's counters, in the transaction of the rows they count. It also updates the
 * heat, the counters per day and those of the author. Essays are locked in id order to avoid a
 * deadlock. Returns the new counters.
 */
export async function addToEssayCounters(ctx: Ctx, changes: readonly EssayChange[]): Promise<ChangedEssay[]> {
  if (changes.length === 0) return [];
  const given = sql`unnest(
    ${sql.param(changes.map((each) => each.essayId))}::uuid[],
    ${sql.join(
      COUNTERS.map((kind) => sql`${sql.param(changes.map((each) => each[kind] ?? 0))}::int[]`),
      sql`, `,
    )}
  ) as change (essay_id, reads, likes, cmts, collects, shares, downloads, rewards)`;
  const ids = sql`${sql.param(changes.map((each) => each.essayId))}::uuid[]`;
  const settings = await getSiteSettings(ctx);
  await ctx.db.execute(sql`select 1 from essays where id = any(${ids}) order by id for no key update`);
  // The demo and imports write interactions of the past.
  const isRecent = recentDays(ctx.services.clock()).includes(chinaDayOf(ctx.now));
  const recent = isRecent ? sql`(essays.recent_engagement + ${ADDED})` : sql`essays.recent_engagement`;
  const score = hotScoreSql(
    {
      engagement: sql`(before.engagement + ${ADDED})`,
      recent,
      publishedAt: sql`essays.published_at`,
    },
    settings,
  );
  const updated = await ctx.db.execute(sql`
    with before as (select id, ${ENGAGEMENT} as engagement from essays where id = any(${ids}))
    update essays set
      read_count = read_count + change.reads,
      like_count = like_count + change.likes,
      cmt_count = cmt_count + change.cmts,
      collect_count = collect_count + change.collects,
      share_count = share_count + change.shares,
      download_count = download_count + change.downloads,
      reward_count = reward_count + change.rewards,
      recent_engagement = ${recent},
      hot_score = coalesce(${score}, 0)
    from ${given} join before on before.id = change.essay_id
    where essays.id = change.essay_id
    returning essays.id, author_id as "authorId", read_count as "readCount", like_count as "likeCount",
      cmt_count as "cmtCount", collect_count as "collectCount", share_count as "shareCount"`);
  await ctx.db.execute(sql`
    insert into essay_days (essay_id, day, reads, likes, cmts, collects, shares, downloads, rewards)
    select essay_id, ${chinaDayOf(ctx.now)}::date, reads, likes, cmts, collects, shares, downloads, rewards
    from ${given} where exists (select 1 from essays where id = essay_id) order by essay_id
    on conflict (essay_id, day) do update set
      reads = essay_days.reads + excluded.reads,
      likes = essay_days.likes + excluded.likes,
      cmts = essay_days.cmts + excluded.cmts,
      collects = essay_days.collects + excluded.collects,
      shares = essay_days.shares + excluded.shares,
      downloads = essay_days.downloads + excluded.downloads,
      rewards = essay_days.rewards + excluded.rewards`);
  const changed = parseRows(changedEssay, updated);
  await addToCounters(ctx.db, perAuthor(changed, changes));
  return changed;
}

function perAuthor(essays: ChangedEssay[], changes: readonly EssayChange[]) {
  const authors = new Map(essays.map((essay) => [essay.id, essay.authorId]));
  const sums = new Map<string, { userId: string; reads: number; likes: number }>();
  for (const { essayId, reads = 0, likes = 0 } of changes) {
    const userId = authors.get(essayId);
    if (userId === undefined || (reads === 0 && likes === 0)) continue;
    const sum = sums.get(userId) ?? { userId, reads: 0, likes: 0 };
    sums.set(userId, { userId, reads: sum.reads + reads, likes: sum.likes + likes });
  }
  return [...sums.values()];
}
