import type { ColumnDetail } from '@mozhan/contract/columns.ts';
import { addPageTags, type Ctx } from '../../../../ctx.ts';
import * as queries from '../queries/column-detail.ts';
import { isFollowingColumn } from '../queries/column-follows.ts';
import { hasPurchase } from '../queries/purchases.ts';
import { toColumn } from '../views/essays.ts';
import { getColumn } from './columns.ts';

async function getReaderState({ db, viewer }: Ctx, columnId: string): Promise<ColumnDetail['mine']> {
  if (viewer === null) return { followed: false, bought: false, finished: 0, resume: null, essays: [] };
  const [followed, bought, progress, essays] = await Promise.all([
    isFollowingColumn(db, viewer.id, columnId),
    hasPurchase(db, viewer.id, columnId),
    queries.findColumnProgress(db, viewer.id, columnId),
    queries.listTouchedEssays(db, viewer.id, columnId),
  ]);
  return { followed, bought, ...progress, essays };
}

/** Everything that the page of a column shows beside the list of its essays. */
export async function getColumnDetail(ctx: Ctx, id: string): Promise<ColumnDetail> {
  const card = await getColumn(ctx, id);
  addPageTags(ctx, `user:${card.author.id}`);
  const [sums, coverSize, first, mine] = await Promise.all([
    queries.sumColumn(ctx.db, id),
    queries.findCoverSize(ctx.db, card.column.cover),
    queries.findFirstEssay(ctx.db, id),
    getReaderState(ctx, id),
  ]);
  if (first !== null) addPageTags(ctx, `essay:${first.id}`);
  return { ...toColumn(card, ctx.now), ...sums, coverSize, first, mine };
}
