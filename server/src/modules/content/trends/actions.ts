import type { Page } from '@mozhan/contract/common.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, shows } from '../../../ctx.ts';
import type { PageQuery } from '../../../db/page.ts';
import { publicTypes } from '../../accounts/activity/index.ts';
import { getUser } from '../../accounts/users/index.ts';
import type { User } from '../../accounts/users/tables.ts';
import { listTrends, type TrendRow } from './queries.ts';

/** Who hides a list hides what would tell of it. */
const hiddenWith: Partial<Record<keyof User['privacy'], readonly number[]>> = {
  like: [TREND_TYPE.like],
  collect: [TREND_TYPE.collect],
  share: [TREND_TYPE.share, TREND_TYPE.shareRead],
  follow: [TREND_TYPE.follow],
};

function shownTypes({ privacy }: User): number[] {
  if (privacy.trend === false) return [];
  const hidden = Object.entries(hiddenWith).flatMap(([list, types]) =>
    privacy[list as keyof User['privacy']] === false ? types : [],
  );
  return publicTypes.filter((type) => !hidden.includes(type));
}

/** One's own, all of them; another's, what is public if they let others see it. */
export async function listVisibleTrends(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { type?: number | undefined },
): Promise<Page<TrendRow>> {
  const asked = query.type === undefined ? null : [query.type];
  if (ctx.viewer?.id === userId) return listTrends(ctx.db, { ...query, userId, types: asked });
  shows(ctx, `user:${userId}`, `trend:${userId}`);
  const shown = shownTypes(await getUser(ctx.db, userId));
  const types = asked === null ? shown : shown.filter((type) => type === query.type);
  if (types.length === 0)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await listTrends(ctx.db, { ...query, userId, types });
  for (const { home, essay } of page.list) {
    if (home !== null) shows(ctx, `user:${home.id}`);
    if (essay !== null) shows(ctx, `essay:${essay.id}`);
  }
  return page;
}
