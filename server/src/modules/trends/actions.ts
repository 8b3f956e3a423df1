import type { Page } from '#contract/common.ts';
import { type Ctx, shows } from '../../ctx.ts';
import type { PageQuery } from '../../db/page.ts';
import { publicTypes } from '../activity/index.ts';
import { getUser } from '../users/index.ts';
import { listTrends, type TrendRow } from './queries.ts';

/** One's own, all of them; another's, what is public if they let others see it. */
export async function listVisibleTrends(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { type?: number | undefined },
): Promise<Page<TrendRow>> {
  const asked = query.type === undefined ? null : [query.type];
  if (ctx.viewer?.id === userId) return listTrends(ctx.db, { ...query, userId, types: asked });
  shows(ctx, `user:${userId}`, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  const isShown = privacy.trend !== false && (asked === null || publicTypes.includes(asked[0] ?? -1));
  if (!isShown) return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await listTrends(ctx.db, { ...query, userId, types: asked ?? publicTypes });
  for (const { home, essay } of page.list) {
    if (home !== null) shows(ctx, `user:${home.id}`);
    if (essay !== null) shows(ctx, `essay:${essay.id}`);
  }
  return page;
}
