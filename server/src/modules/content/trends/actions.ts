import type { Page } from '@mozhan/contract/common.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { addPageTags, type Ctx } from '../../../ctx.ts';
import type { PageQuery } from '../../../db/page.ts';
import { publicTrendTypes } from '../../accounts/activity/index.ts';
import { getUser } from '../../accounts/users/index.ts';
import type { User } from '../../accounts/users/tables.ts';
import { listTrends, type TrendRow } from './queries.ts';

/** Hiding a list also hides the trends that would reveal it. */
const typesHiddenBy: Partial<Record<keyof User['privacy'], readonly number[]>> = {
  like: [TREND_TYPE.like],
  collect: [TREND_TYPE.collect],
  share: [TREND_TYPE.share, TREND_TYPE.shareRead],
  follow: [TREND_TYPE.follow],
};

function visibleTypes({ privacy }: User): number[] {
  if (privacy.trend === false) return [];
  const hidden = Object.entries(typesHiddenBy).flatMap(([list, types]) =>
    privacy[list as keyof User['privacy']] === false ? types : [],
  );
  return publicTrendTypes.filter((type) => !hidden.includes(type));
}

/** Lists all trends of the viewer; of another user only public types that their privacy settings allow. */
export async function listVisibleTrends(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { type?: number | undefined },
): Promise<Page<TrendRow>> {
  const requestedTypes = query.type === undefined ? null : [query.type];
  if (ctx.viewer?.id === userId) return listTrends(ctx.db, { ...query, userId, types: requestedTypes });
  addPageTags(ctx, `user:${userId}`, `trend:${userId}`);
  const visible = visibleTypes(await getUser(ctx.db, userId));
  const types = requestedTypes === null ? visible : visible.filter((type) => type === query.type);
  if (types.length === 0)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await listTrends(ctx.db, { ...query, userId, types });
  for (const { home, essay } of page.list) {
    if (home !== null) addPageTags(ctx, `user:${home.id}`);
    if (essay !== null) addPageTags(ctx, `essay:${essay.id}`);
  }
  return page;
}
