import type { listAuditQueue } from '@mozhan/contract/audit.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/essays.ts';
import type { ListedEssay } from '@mozhan/contract/essays.ts';
import type { listStaffEssays, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { z } from 'zod';
import { type Ctx, type Services, shows } from '../../../../ctx.ts';
import { createShared } from '../../../../db/batch.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { mapPage } from '../../../../db/page.ts';
import { systemCtx } from '../../../../jobs.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { findNames, suggest } from '../../../platform/search/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { columnRows } from '../queries/columns.ts';
import * as queries from '../queries/essays.ts';
import * as lists from '../queries/lists.ts';
import { findUser, listUsersByIds } from '../queries/people.ts';
import * as shelf from '../queries/shelf.ts';
import { createRelatedQuery } from '../queries/shown.ts';
import * as staffLists from '../queries/staff-lists.ts';
import { settleTags } from '../queries/tags.ts';
import { noEssay } from '../rules/essays.ts';
import { toOwnCard, toStaffEssay } from '../views/essays.ts';
import { toCards } from './read.ts';
import { search } from './search.ts';

type Question = z.output<typeof calls.listEssays.input>;
type Answer = Page<ListedEssay> & { corrected?: string; partial?: true };

const NOTHING = { list: [], total: 0, next: null };

/** The category of that address, null when none was asked for. */
async function findCategoryId(ctx: Ctx, slug: string | undefined): Promise<string | null> {
  if (slug === undefined) return null;
  const found = (await listEnabledCategories(ctx)).find((each) => each.slug === slug);
  if (found === undefined) throw new CallError('NOT_FOUND', { message: '没有这个分类' });
  return found.id;
}

export async function listEssays(ctx: Ctx, question: Question): Promise<Answer> {
  if (question.mine === FLAG.on) return listMine(ctx, question);
  if (question.status !== undefined && question.status !== ESSAY_STATUS.onShelf)
    throw invalid('status', '只能查看已上架的文章；自己的请加 mine=1');
  // Cards name their categories, which are the site's.
  shows(ctx, 'essays', 'site');
  const keyword = question.keyword?.trim();
  if (keyword)
    return search(ctx, { ...question, keyword, categoryId: await findCategoryId(ctx, question.category) });
  return question.feed === 'following' ? listShelf(ctx, question) : listShared(ctx, question);
}

/** The answer, or why there is none, and what it shows: a page that says that something is not there shows it too. */
interface Shared {
  outcome: PromiseSettledResult<Answer>;
  shown: Set<string>;
}

const shares = new WeakMap<Services, (question: Question) => Promise<Shared>>();

/** What is on the shelf is the same for everyone, and many ask for it at the same time. */
async function listShared(ctx: Ctx, question: Question): Promise<Answer> {
  const { services } = ctx;
  let ask = shares.get(services);
  if (ask === undefined) {
    ask = createShared(async (question) => {
      const shown = new Set<string>();
      const [outcome] = await Promise.allSettled([listShelf({ ...systemCtx(services), shown }, question)]);
      return { outcome, shown };
    });
    shares.set(services, ask);
  }
  const { outcome, shown } = await ask(question);
  shows(ctx, ...shown);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

async function listShelf(ctx: Ctx, question: Question): Promise<Answer> {
  const page = await pickList(ctx, question);
  return { ...page, list: toCards(ctx, page.list) };
}

/** With the tag's name by now, where it has another. */
async function pickList(ctx: Ctx, question: Question): Promise<Page<lists.CardRow> & { tag?: string }> {
  const { page, pageSize } = question;
  if (question.columnId !== undefined) {
    const column = await columnRows.find(ctx.db, question.columnId);
    const isTheirs = question.authorId === undefined || column?.authorId === question.authorId;
    if (column === null || !isTheirs) return { ...NOTHING, page, pageSize };
    shows(ctx, `column:${column.id}`);
    return lists.listByColumn(ctx.db, { ...question, columnId: column.id });
  }
  if (question.authorId !== undefined) {
    const author = await findUser(ctx.db, question.authorId);
    if (author === null) return { ...NOTHING, page, pageSize };
    shows(ctx, `user:${author.id}`);
    return lists.listByAuthor(ctx.db, { ...question, author });
  }
  if (question.tag !== undefined) {
    const [tag] = await settleTags(ctx.db, [question.tag]);
    return tag === undefined
      ? { ...NOTHING, page, pageSize }
      : { ...(await lists.listByTag(ctx.db, { ...question, tag })), ...(tag !== question.tag && { tag }) };
  }
  if (question.feed === 'following') {
    if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
    return lists.listFollowed(ctx.db, { ...question, followerId: ctx.viewer.id });
  }
  const categoryId = await findCategoryId(ctx, question.category);
  return question.feed === 'hot'
    ? lists.listHot(ctx.db, { ...question, categoryId })
    : lists.listLatest(ctx.db, { ...question, categoryId });
}

async function listMine(ctx: Ctx, question: Question): Promise<Answer> {
  if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  const page = await lists.listMine(ctx.db, { ...question, authorId: ctx.viewer.id });
  return mapPage(page, (row) => toOwnCard(row, ctx.now));
}

export async function listTags(ctx: Ctx, keyword: string | undefined, limit: number) {
  shows(ctx, 'essays');
  const rows = keyword?.trim()
    ? await shelf.listTagsByIds(ctx.db, await findNames(ctx, 'tag', keyword.trim(), limit))
    : await shelf.listTags(ctx.db, limit);
  return rows.map(({ name, essayCount }) => ({ name, count: essayCount }));
}

export async function suggestKeywords(ctx: Ctx, keyword: string) {
  const asked = keyword.trim();
  if (asked === '') return { words: [], tags: [], authors: [] };
  const [words, tagIds, authorIds] = await Promise.all([
    suggest(ctx, asked, 6),
    findNames(ctx, 'tag', asked, 5),
    findNames(ctx, 'user', asked, 4),
  ]);
  const [tags, authors] = await Promise.all([
    shelf.listTagsByIds(ctx.db, tagIds),
    listUsersByIds(ctx.db, authorIds),
  ]);
  return {
    words,
    tags: tags.map(({ name }) => name),
    authors: authors.map((user) => toUserCard(user, ctx.now)),
  };
}

const findRelated = createLookup((db) => {
  const list = createRelatedQuery(db);
  return async (ids) => Map.groupBy(await list(ids), (row) => row.of);
});

export async function listRelated(ctx: Ctx, id: string) {
  shows(ctx, `essay:${id}`, 'essays');
  const rows = await findRelated(ctx, id);
  if (rows !== null) return toCards(ctx, rows);
  if ((await queries.getEssay(ctx.db, id)).status !== ESSAY_STATUS.onShelf) throw noEssay();
  return [];
}

export async function listHistory(ctx: Ctx, userId: string, query: z.output<typeof calls.listHistory.input>) {
  const page = await lists.listHistory(ctx.db, { ...query, userId });
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

/** What somebody reads is theirs alone to see. */
export const listReadBy = async (
  ctx: Ctx,
  userId: string,
  query: z.output<typeof calls.listHistory.input>,
) =>
  ctx.viewer?.id === userId
    ? listHistory(ctx, userId, query)
    : { ...NOTHING, page: query.page, pageSize: query.pageSize };

async function toStaffPage(ctx: Ctx, page: Page<lists.CardRow>): Promise<Page<StaffEssay>> {
  const waiting = page.list.map(({ essay }) => essay).filter(({ submittedAt }) => submittedAt !== null);
  const [words, records] = await Promise.all([
    queries.listWords(ctx.db, waiting),
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
