import type { listAuditQueue } from '@mozhan/contract/audit.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/essays.ts';
import type { ListedEssay } from '@mozhan/contract/essays.ts';
import type { listReadingHistory as historyCall } from '@mozhan/contract/reading-history.ts';
import type { listStaffEssays, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, oncePerApp, type Viewer } from '../../../../ctx.ts';
import { createCoalescedLoader } from '../../../../db/batch.ts';
import { createLookup, createStatement } from '../../../../db/lookup.ts';
import { mapPage } from '../../../../db/page.ts';
import { systemCtx } from '../../../../jobs.ts';
import { findNames } from '../../../platform/search/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { columnRows } from '../queries/columns.ts';
import { createRelatedQuery } from '../queries/essay-page.ts';
import * as queries from '../queries/essays.ts';
import * as lists from '../queries/lists.ts';
import { listPinned, type PinPlace, pinColumnOf } from '../queries/pins.ts';
import * as shelf from '../queries/shelf.ts';
import * as staffLists from '../queries/staff-lists.ts';
import { resolveTagAliases } from '../queries/tags.ts';
import { findUser } from '../queries/users.ts';
import { essayNotFound } from '../rules/essays.ts';
import { toOwnCard, toStaffEssay } from '../views/essays.ts';
import { matchKeyword, matchOwnKeyword } from './own-search.ts';
import { toCards } from './read.ts';
import { getShelfCount, listForReader, listForVisitors, listSitePins } from './recommend.ts';
import { searchShelf } from './search.ts';

type ListQuery = z.output<typeof calls.listEssays.input>;
type ListResult = Page<ListedEssay> & { corrected?: string; partial?: true };

const EMPTY_LIST = { list: [], total: 0, next: null };

async function findCategoryId(ctx: Ctx, slug: string | undefined): Promise<string | null> {
  if (slug === undefined) return null;
  const found = (await listEnabledCategories(ctx)).find((each) => each.slug === slug);
  if (found === undefined) throw new CallError('NOT_FOUND', { message: '没有这个分类' });
  return found.id;
}

export async function listEssays(ctx: Ctx, query: ListQuery): Promise<ListResult> {
  if (query.mine === FLAG.on) return listOwnEssays(ctx, query);
  if (query.status !== undefined && query.status !== ESSAY_STATUS.onShelf)
    throw invalidField('status', '只能查看已上架的文章；自己的请加 mine=1');
  // Cards show category names, which have the cache tag `site`.
  addPageTags(ctx, 'essays', 'site');
  const keyword = query.keyword?.trim();
  if (keyword)
    return searchShelf(ctx, { ...query, keyword, categoryId: await findCategoryId(ctx, query.category) });
  requireNoSearchOptions(query);
  if (ctx.viewer !== null && isSiteRecommendation(query)) return listForReader(ctx, ctx.viewer.id, query);
  return query.feed === 'following' ? listShelf(ctx, query) : listShelfDeduplicated(ctx, query);
}

const isSiteRecommendation = ({ feed, category, tag, authorId, columnId }: ListQuery): boolean =>
  feed === 'recommend' && [category, tag, authorId, columnId].every((filter) => filter === undefined);

/** Lists other than searches have an order of their own. */
function requireNoSearchOptions(query: ListQuery): void {
  for (const option of ['sort', 'since', 'price'] as const)
    if (query[option] !== undefined) throw invalidField(option, '只在搜索时可用，请同时给出搜索词');
}

/** The page or the error, with the cache tags; an error page depends on them too. */
interface SharedResult {
  result: PromiseSettledResult<ListResult>;
  pageTags: Set<string>;
}

const sharedListsOf = oncePerApp((services) =>
  createCoalescedLoader(async (query: ListQuery): Promise<SharedResult> => {
    const pageTags = new Set<string>();
    const [result] = await Promise.allSettled([listShelf({ ...systemCtx(services), pageTags }, query)]);
    return { result, pageTags };
  }),
);

/** Public lists are the same for everyone, so concurrent equal queries share one execution. */
async function listShelfDeduplicated(ctx: Ctx, query: ListQuery): Promise<ListResult> {
  const { result, pageTags } = await sharedListsOf(ctx.services)(query);
  addPageTags(ctx, ...pageTags);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

async function listShelf(ctx: Ctx, query: ListQuery): Promise<ListResult> {
  const page = await selectList(ctx, query);
  const place = findPinPlace(query);
  const cards = toCards(ctx, page.list);
  if (place === null) return { ...page, list: cards };
  const column = pinColumnOf(place);
  const pinnedIds = new Set(page.list.flatMap(({ essay }) => (essay[column] === null ? [] : [essay.id])));
  return { ...page, list: cards.map((card) => ({ ...card, pinned: pinnedIds.has(card.id) })) };
}

/** Whose pinned essays come first in a list: the author's, the site's, or nobody's. */
function findPinPlace({ columnId, authorId, tag, feed }: ListQuery): PinPlace | null {
  if (columnId !== undefined || feed === 'hot' || feed === 'following') return null;
  if (authorId !== undefined) return { authorId };
  return tag === undefined ? 'site' : null;
}

async function listPinnedFor(ctx: Ctx, query: ListQuery, categoryId: string | null = null) {
  const place = findPinPlace(query);
  if (place === null) return [];
  return place === 'site' ? listSitePins(ctx, categoryId) : listPinned(ctx.db, place);
}

/** `tag` is set when the requested tag has been renamed. */
async function selectList(ctx: Ctx, query: ListQuery): Promise<Page<lists.CardRow> & { tag?: string }> {
  const { page, pageSize } = query;
  if (query.columnId !== undefined) {
    const column = await columnRows.find(ctx.db, query.columnId);
    const isTheirs = query.authorId === undefined || column?.authorId === query.authorId;
    if (column === null || !isTheirs) return { ...EMPTY_LIST, page, pageSize };
    addPageTags(ctx, `column:${column.id}`);
    return lists.listByColumn(ctx.db, { ...query, columnId: column.id });
  }
  if (query.authorId !== undefined) {
    const author = await findUser(ctx.db, query.authorId);
    if (author === null) return { ...EMPTY_LIST, page, pageSize };
    addPageTags(ctx, `user:${author.id}`);
    return lists.listByAuthor(ctx.db, { ...query, author, pinned: await listPinnedFor(ctx, query) });
  }
  if (query.tag !== undefined) {
    const [tag] = await resolveTagAliases(ctx.db, [query.tag]);
    return tag === undefined
      ? { ...EMPTY_LIST, page, pageSize }
      : { ...(await lists.listByTag(ctx.db, { ...query, tag })), ...(tag !== query.tag && { tag }) };
  }
  if (query.feed === 'following') {
    if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
    return lists.listFollowed(ctx.db, { ...query, followerId: ctx.viewer.id });
  }
  const categoryId = await findCategoryId(ctx, query.category);
  const pinned = await listPinnedFor(ctx, query, categoryId);
  if (query.feed === 'recommend') return listForVisitors(ctx, { ...query, categoryId, pinned });
  const list = query.feed === 'hot' ? lists.listHot : lists.listLatest;
  return list(ctx.db, { ...query, categoryId, pinned, total: () => getShelfCount(ctx, categoryId) });
}

/** More than a sidebar shows, so that it can leave out what the list beside it shows. */
const RANKING_SIZE = 30;

const findRanking = createStatement((db) => lists.createRankingQuery(db, RANKING_SIZE));

export async function listRanking(ctx: Ctx, category: string | undefined) {
  addPageTags(ctx, 'essays', 'site');
  return findRanking(ctx, await findCategoryId(ctx, category));
}

async function listOwnEssays(ctx: Ctx, query: ListQuery): Promise<ListResult> {
  if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  const keyword = query.keyword?.trim();
  const match = keyword ? await matchOwnKeyword(ctx, keyword) : undefined;
  const page = await lists.listOwnEssays(ctx.db, { ...query, authorId: ctx.viewer.id, match });
  const isRejected = ({ essay }: lists.CardRow) =>
    essay.status === ESSAY_STATUS.rejected || essay.revisionStatus === ESSAY_STATUS.rejected;
  const records = await queries.listLastRecords(
    ctx.db,
    page.list.filter(isRejected).map(({ essay }) => essay.id),
  );
  return mapPage(page, (row) => toOwnCard(row, records.get(row.essay.id), ctx.now));
}

export async function countOwnEssays(ctx: Ctx, viewer: Pick<Viewer, 'id'>) {
  const rows = await lists.countOwnEssays(ctx.db, viewer.id);
  const counts = Object.values(ESSAY_STATUS)
    .sort((a, b) => a - b)
    .map((status) => rows.find((row) => row.status === status)?.count ?? 0);
  return { total: counts.reduce((sum, count) => sum + count, 0), counts };
}

const findTopTags = createStatement(shelf.createTopTagsQuery);

export async function listTags(ctx: Ctx, keyword: string | undefined, limit: number) {
  addPageTags(ctx, 'essays');
  const rows = keyword?.trim()
    ? await shelf.listTagsByIds(ctx.db, await findNames(ctx, 'tag', keyword.trim(), limit))
    : await findTopTags(ctx, limit);
  return rows.map(({ name, essayCount }) => ({ name, count: essayCount }));
}

const findRelated = createLookup((db) => {
  const list = createRelatedQuery(db);
  return async (ids) => Map.groupBy(await list(ids), (row) => row.relatedTo);
});

export async function listRelatedEssays(ctx: Ctx, id: string) {
  addPageTags(ctx, `essay:${id}`, 'essays');
  const rows = await findRelated(ctx, id);
  if (rows !== null) return toCards(ctx, rows);
  if ((await queries.getEssay(ctx.db, id)).status !== ESSAY_STATUS.onShelf) throw essayNotFound();
  return [];
}

export async function listReadingHistory(
  ctx: Ctx,
  userId: string,
  query: z.output<typeof historyCall.input>,
) {
  const { keyword = '' } = query;
  const match = keyword === '' ? undefined : await matchKeyword(ctx, keyword);
  const page = await lists.listReadingHistory(ctx.db, { ...query, userId, match });
  const cards = toCards(ctx, page.list);
  return {
    ...page,
    list: page.list.flatMap(({ history }, i) => {
      const card = cards[i];
      return card === undefined
        ? []
        : [{ ...card, progress: history.progress, readAt: history.readAt.toISOString() }];
    }),
  };
}

/** The reading history is visible to its owner only. */
export const listReadEssays = async (ctx: Ctx, userId: string, query: z.output<typeof historyCall.input>) =>
  ctx.viewer?.id === userId
    ? listReadingHistory(ctx, userId, query)
    : { ...EMPTY_LIST, page: query.page, pageSize: query.pageSize };

async function toStaffPage(ctx: Ctx, page: Page<lists.CardRow>): Promise<Page<StaffEssay>> {
  const waiting = page.list.map(({ essay }) => essay).filter(({ submittedAt }) => submittedAt !== null);
  const [words, records] = await Promise.all([
    queries.listSensitiveWords(ctx.db, waiting),
    queries.listLastRecords(
      ctx.db,
      waiting.map(({ id }) => id),
    ),
  ]);
  return {
    ...page,
    list: page.list.map((row) =>
      toStaffEssay(
        {
          ...row,
          words: words.get(row.essay.id) ?? [],
          appeal: records.get(row.essay.id)?.appeal ?? false,
        },
        ctx.now,
      ),
    ),
  };
}

export const listForStaff = async (ctx: Ctx, query: z.output<typeof listStaffEssays.input>) =>
  toStaffPage(ctx, await staffLists.listForStaff(ctx.db, query));

export const listQueue = async (ctx: Ctx, query: z.output<typeof listAuditQueue.input>) =>
  toStaffPage(ctx, await staffLists.listQueue(ctx.db, query));
