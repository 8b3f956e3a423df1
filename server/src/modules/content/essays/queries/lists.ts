import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus } from '@mozhan/contract/essays.ts';
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import { literal, orderWithLimit } from '../../../../db/literal.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { inOrderOf, sqlInt } from '../../../../db/rows.ts';
import { follows, type User, users } from '../../../accounts/users/tables.ts';
import { type Category, categories } from '../../categories/tables.ts';
import { columns, type EssayRow, essayCounts, essayHistory, essays, essayTags, tags } from '../tables.ts';
import { MAX_SEARCHED_ROWS } from './own-search.ts';

/** The columns that cards show to anyone, and those that lists are sorted by. */
export const cardColumns = {
  essay: {
    id: essays.id,
    slug: essays.slug,
    authorId: essays.authorId,
    status: essays.status,
    revisionStatus: essays.revisionStatus,
    submittedVersion: essays.submittedVersion,
    title: essays.title,
    titleBreaks: essays.titleBreaks,
    summary: essays.summary,
    cover: essays.cover,
    tags: essays.tags,
    price: essays.price,
    memberFree: essays.memberFree,
    columnSort: essays.columnSort,
    wordCount: essays.wordCount,
    readMinutes: essays.readMinutes,
    scheduledAt: essays.scheduledAt,
    submittedAt: essays.submittedAt,
    publishedAt: essays.publishedAt,
    updatedAt: essays.updatedAt,
    savedAt: essays.savedAt,
    readCount: essays.readCount,
    likeCount: essays.likeCount,
    cmtCount: essays.cmtCount,
    collectCount: essays.collectCount,
    shareCount: essays.shareCount,
    downloadCount: essays.downloadCount,
    rewardCount: essays.rewardCount,
    hotScore: essays.hotScore,
    authorPin: essays.authorPin,
    sitePin: essays.sitePin,
  },
  author: {
    id: users.id,
    displayName: users.displayName,
    headImg: users.headImg,
    title: users.title,
    curIdentity: users.curIdentity,
    memberUntil: users.memberUntil,
  },
  category: { id: categories.id, slug: categories.slug, name: categories.name },
};

export interface CardRow {
  essay: Pick<EssayRow, keyof typeof cardColumns.essay>;
  author: Pick<User, keyof typeof cardColumns.author>;
  category: Pick<Category, keyof typeof cardColumns.category> | null;
}

export const selectCards = (db: Db) =>
  db
    .select(cardColumns)
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId));

const onShelf = eq(essays.status, ESSAY_STATUS.onShelf);

/** Keeps the order of the ids and omits essays that are not on the shelf. */
export async function listCardsByIds(db: Db, ids: string[]): Promise<CardRow[]> {
  if (ids.length === 0) return [];
  const rows = await selectCards(db).where(and(onShelf, sql`${essays.id} = any(${sql.param(ids)}::uuid[])`));
  return inOrderOf(ids, rows, ({ essay }) => essay.id);
}

/** Essays on the shelf, in any order. */
export function createCardsQuery(db: Db): (ids: string[]) => Promise<CardRow[]> {
  const query = selectCards(db)
    .where(and(onShelf, sql`${essays.id} = any(${sql.placeholder('ids')}::uuid[])`))
    .prepare('cards_by_id');
  return (ids) => query.execute({ ids });
}

/** Finds an essay of any status, with all its columns. */
export async function findCard(db: Db, id: string): Promise<(CardRow & { essay: EssayRow }) | null> {
  const [row] = await db
    .select({ ...cardColumns, essay: essays })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .where(eq(essays.id, id));
  return row ?? null;
}

const publishedKey = ({ essay }: CardRow) => [essay.publishedAt, essay.id];
const inPublishedOrder = { by: essays.publishedAt, id: essays.id, key: publishedKey };

/** Reads the stored numbers of essays on the shelf and in categories instead of counting rows. */
export function createShelfCountQuery(db: Db): (keys: string[]) => Promise<Map<string, number>> {
  const query = db
    .select()
    .from(essayCounts)
    .where(sql`${essayCounts.key} = any(${sql.placeholder('keys')}::text[])`)
    .prepare('shelf_counts');
  return async (keys) => new Map((await query.execute({ keys })).map(({ key, count }) => [key, count]));
}

const matchesShelf = (categoryId: string | null): SQL | undefined =>
  and(onShelf, categoryId === null ? undefined : eq(essays.categoryId, categoryId));

interface PinnedFirst extends PageQuery {
  /** Listed before the others. */
  pinned: CardRow[];
}

interface ShelfQuery extends PinnedFirst {
  categoryId: string | null;
  total: () => Promise<number>;
}

/** A page has at least one essay that is not pinned, so that its cursor continues in the usual order. */
function withPinned({ pinned, pageSize }: PinnedFirst, match: SQL | undefined) {
  const first = pinned.slice(0, pageSize - 1);
  const ids = first.map(({ essay }) => essay.id);
  return {
    first,
    match: ids.length === 0 ? match : and(match, sql`${essays.id} <> all(${sql.param(ids)}::uuid[])`),
  };
}

export const listLatest = (db: Db, query: ShelfQuery): Promise<Page<CardRow>> =>
  listPage(db, query, {
    select: selectCards(db),
    ...withPinned(query, matchesShelf(query.categoryId)),
    ...inPublishedOrder,
    total: query.total,
  });

export const listHot = (db: Db, query: ShelfQuery): Promise<Page<CardRow>> =>
  listPage(db, query, {
    select: selectCards(db),
    ...withPinned(query, matchesShelf(query.categoryId)),
    by: essays.hotScore,
    id: essays.id,
    key: ({ essay }) => [essay.hotScore, essay.id],
    total: query.total,
  });

type RankedRow = Pick<EssayRow, 'id' | 'slug' | 'title' | 'titleBreaks' | 'readCount'>;

/** The hottest essays of the shelf or of a category, without what only cards show. */
export function createRankingQuery(
  db: Db,
  limit: number,
): (categoryId: string | null) => Promise<RankedRow[]> {
  const prepare = (name: string, category?: SQL) =>
    db
      .select({
        id: essays.id,
        slug: essays.slug,
        title: essays.title,
        titleBreaks: essays.titleBreaks,
        readCount: essays.readCount,
      })
      .from(essays)
      .where(and(sql`${essays.status} = ${literal(ESSAY_STATUS.onShelf)}`, category))
      .orderBy(orderWithLimit([desc(essays.hotScore), desc(essays.id)], limit))
      .prepare(name);
  const ofShelf = prepare('ranking');
  const ofCategory = prepare('category_ranking', eq(essays.categoryId, sql.placeholder('categoryId')));
  return (categoryId) => (categoryId === null ? ofShelf.execute() : ofCategory.execute({ categoryId }));
}

export const listByAuthor = (db: Db, query: PinnedFirst & { author: User }): Promise<Page<CardRow>> =>
  listPage(db, query, {
    select: selectCards(db),
    ...withPinned(query, and(onShelf, eq(essays.authorId, query.author.id))),
    ...inPublishedOrder,
    total: async () => query.author.essayCount,
  });

export const listByTag = (db: Db, query: PageQuery & { tag: string }): Promise<Page<CardRow>> =>
  listPage(db, query, {
    select: db
      .select(cardColumns)
      .from(essayTags)
      .innerJoin(essays, eq(essays.id, essayTags.essayId))
      .innerJoin(users, eq(users.id, essays.authorId))
      .leftJoin(categories, eq(categories.id, essays.categoryId)),
    match: and(eq(essayTags.tag, query.tag), onShelf),
    by: essayTags.publishedAt,
    id: essayTags.essayId,
    key: publishedKey,
    total: async () => {
      const [tag] = await db.select().from(tags).where(eq(tags.name, query.tag));
      return tag?.essayCount ?? 0;
    },
  });

export const listByColumn = (db: Db, query: PageQuery & { columnId: string }): Promise<Page<CardRow>> =>
  listPage(db, query, {
    select: selectCards(db),
    match: and(onShelf, eq(essays.columnId, query.columnId)),
    by: essays.columnSort,
    id: essays.id,
    isDescending: false,
    key: ({ essay }) => [essay.columnSort, essay.id],
    total: async () => {
      const [column] = await db.select().from(columns).where(eq(columns.id, query.columnId));
      return column?.essayCount ?? 0;
    },
  });

const publishedAfter = (after: string[] | null): SQL | undefined =>
  after === null
    ? undefined
    : sql`(${essays.publishedAt}, ${essays.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;

/** Reads the newest essays of each followed author by index, then sorts these. */
export const listFollowed = (db: Db, query: PageQuery & { followerId: string }): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: async (position) => {
      const newest = db
        .select({ id: essays.id, publishedAt: essays.publishedAt })
        .from(essays)
        .where(and(eq(essays.authorId, follows.userId), onShelf, publishedAfter(position.after)))
        .orderBy(desc(essays.publishedAt), desc(essays.id))
        .limit(position.offset + position.limit)
        .as('newest');
      const picked = await db
        .select({ id: newest.id })
        .from(follows)
        .innerJoinLateral(newest, sql`true`)
        .where(eq(follows.followerId, query.followerId))
        .orderBy(desc(newest.publishedAt), desc(newest.id))
        .offset(position.offset)
        .limit(position.limit);
      return listCardsByIds(
        db,
        picked.map((row) => row.id),
      );
    },
    total: async () => {
      const [row] = await db
        .select({ total: sqlInt`coalesce(sum(${users.essayCount}), 0)::int` })
        .from(follows)
        .innerJoin(users, eq(users.id, follows.userId))
        .where(eq(follows.followerId, query.followerId));
      return row?.total ?? 0;
    },
    key: ({ essay }) => [essay.publishedAt?.toISOString() ?? '', essay.id],
    parts: ['time'],
  });

const ownEssaysOf = (authorId: string): SQL | undefined =>
  and(eq(essays.authorId, authorId), isNull(essays.deletedAt));

export async function countOwnEssays(
  db: Db,
  authorId: string,
): Promise<{ status: EssayStatus; count: number }[]> {
  return db
    .select({ status: essays.status, count: sqlInt`count(*)::int` })
    .from(essays)
    .where(ownEssaysOf(authorId))
    .groupBy(essays.status);
}

/** Includes drafts, so only the author may call it. */
export function listOwnEssays(
  db: Db,
  query: PageQuery & { authorId: string; status?: EssayStatus | undefined; match?: SQL | undefined },
): Promise<Page<CardRow>> {
  const newest = db
    .select({ id: essays.id })
    .from(essays)
    .where(ownEssaysOf(query.authorId))
    .orderBy(desc(essays.savedAt), desc(essays.id))
    .limit(MAX_SEARCHED_ROWS);
  const match = and(
    ownEssaysOf(query.authorId),
    query.status === undefined ? undefined : eq(essays.status, query.status),
    query.match === undefined ? undefined : and(inArray(essays.id, newest), query.match),
  );
  return listPage(db, query, {
    select: selectCards(db),
    match,
    by: essays.savedAt,
    id: essays.id,
    key: ({ essay }) => [essay.savedAt, essay.id],
  });
}

export interface HistoryRow extends CardRow {
  history: typeof essayHistory.$inferSelect;
}

/** Last read first; omits essays that have left the shelf. */
export function listReadingHistory(
  db: Db,
  query: PageQuery & { userId: string; match?: SQL | undefined },
): Promise<Page<HistoryRow>> {
  const newest = db
    .select({ id: essayHistory.essayId })
    .from(essayHistory)
    .where(eq(essayHistory.userId, query.userId))
    .orderBy(desc(essayHistory.readAt))
    .limit(MAX_SEARCHED_ROWS);
  const match = and(
    eq(essayHistory.userId, query.userId),
    onShelf,
    query.match === undefined ? undefined : and(inArray(essayHistory.essayId, newest), query.match),
  );
  return listPage(db, query, {
    select: db
      .select({ ...cardColumns, history: essayHistory })
      .from(essayHistory)
      .innerJoin(essays, eq(essays.id, essayHistory.essayId))
      .innerJoin(users, eq(users.id, essays.authorId))
      .leftJoin(categories, eq(categories.id, essays.categoryId)),
    match,
    by: essayHistory.readAt,
    id: essayHistory.essayId,
    total: async () => {
      const [row] = await db
        .select({ total: sqlInt`count(*)::int` })
        .from(essayHistory)
        .innerJoin(essays, eq(essays.id, essayHistory.essayId))
        .innerJoin(users, eq(users.id, essays.authorId))
        .where(match);
      return row?.total ?? 0;
    },
    key: ({ history }) => [history.readAt, history.essayId],
  });
}
