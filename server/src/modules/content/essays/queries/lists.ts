import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Page } from '#contract/common.ts';
import { ESSAY_STATUS } from '#contract/enums.ts';
import type { EssayStatus } from '#contract/essays.ts';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, type Position, readPage } from '../../../../db/page.ts';
import { follows, type User, users } from '../../../accounts/users/tables.ts';
import { type Category, categories } from '../../categories/tables.ts';
import { columns, type EssayRow, essayCounts, essayHistory, essays, essayTags, tags } from '../tables.ts';

/** All that a card shows, to its author and to staff too, and what lists are ordered by. */
export const card = {
  essay: {
    id: essays.id,
    authorId: essays.authorId,
    status: essays.status,
    revisionStatus: essays.revisionStatus,
    submittedVersion: essays.submittedVersion,
    title: essays.title,
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
  essay: Pick<EssayRow, keyof typeof card.essay>;
  author: Pick<User, keyof typeof card.author>;
  category: Pick<Category, keyof typeof card.category> | null;
}

export const selectCards = (db: Db) =>
  db
    .select(card)
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId));

const onShelf = eq(essays.status, ESSAY_STATUS.onShelf);

/** Cards by their ids, in the order of the ids; what is not on the shelf is left out. */
export async function listCardsByIds(db: Db, ids: string[]): Promise<CardRow[]> {
  if (ids.length === 0) return [];
  const rows = await selectCards(db).where(and(onShelf, sql`${essays.id} = any(${sql.param(ids)}::uuid[])`));
  const byId = new Map(rows.map((row) => [row.essay.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Whatever its state, with all that there is of the essay. */
export async function findCard(db: Db, id: string): Promise<(CardRow & { essay: EssayRow }) | null> {
  const [row] = await db
    .select({ ...card, essay: essays })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .where(eq(essays.id, id));
  return row ?? null;
}

const publishedKey = ({ essay }: CardRow): string[] => [essay.publishedAt?.toISOString() ?? '', essay.id];

/** Behind the last row of the page before. */
const afterTime = (time: SQL, id: SQL, after: string[] | null): SQL | undefined =>
  after === null ? undefined : sql`(${time}, ${id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;

const publishedAfter = ({ after }: Position) =>
  afterTime(sql`${essays.publishedAt}`, sql`${essays.id}`, after);
const newestFirst = [desc(essays.publishedAt), desc(essays.id)];

/** How many are on the shelf: kept, never counted. */
async function findCount(db: Db, key: string): Promise<number> {
  const [row] = await db.select().from(essayCounts).where(eq(essayCounts.key, key));
  return row?.count ?? 0;
}

export const listLatest = (
  db: Db,
  query: PageQuery & { categoryId: string | null },
): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: (position) =>
      selectCards(db)
        .where(
          and(
            onShelf,
            query.categoryId === null ? undefined : eq(essays.categoryId, query.categoryId),
            publishedAfter(position),
          ),
        )
        .orderBy(...newestFirst)
        .offset(position.offset)
        .limit(position.limit),
    total: () => findCount(db, query.categoryId ?? ''),
    key: publishedKey,
    parts: ['time'],
  });

export const listHot = (db: Db, query: PageQuery & { categoryId: string | null }): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectCards(db)
        .where(
          and(
            onShelf,
            query.categoryId === null ? undefined : eq(essays.categoryId, query.categoryId),
            after === null
              ? undefined
              : sql`(${essays.hotScore}, ${essays.id}) < (${Number(after[0])}::float8, ${after[1]}::uuid)`,
          ),
        )
        .orderBy(desc(essays.hotScore), desc(essays.id))
        .offset(offset)
        .limit(limit),
    total: () => findCount(db, query.categoryId ?? ''),
    key: ({ essay }) => [String(essay.hotScore), essay.id],
    parts: ['float'],
  });

export const listByAuthor = (db: Db, query: PageQuery & { author: User }): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: (position) =>
      selectCards(db)
        .where(and(onShelf, eq(essays.authorId, query.author.id), publishedAfter(position)))
        .orderBy(...newestFirst)
        .offset(position.offset)
        .limit(position.limit),
    total: async () => query.author.essayCount,
    key: publishedKey,
    parts: ['time'],
  });

export const listByTag = (db: Db, query: PageQuery & { tag: string }): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select(card)
        .from(essayTags)
        .innerJoin(essays, eq(essays.id, essayTags.essayId))
        .innerJoin(users, eq(users.id, essays.authorId))
        .leftJoin(categories, eq(categories.id, essays.categoryId))
        .where(
          and(
            eq(essayTags.tag, query.tag),
            onShelf,
            afterTime(sql`${essayTags.publishedAt}`, sql`${essayTags.essayId}`, after),
          ),
        )
        .orderBy(desc(essayTags.publishedAt), desc(essayTags.essayId))
        .offset(offset)
        .limit(limit),
    total: async () => {
      const [tag] = await db.select().from(tags).where(eq(tags.name, query.tag));
      return tag?.essayCount ?? 0;
    },
    key: publishedKey,
    parts: ['time'],
  });

/** In the order of the column. */
export const listByColumn = (db: Db, query: PageQuery & { columnId: string }): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectCards(db)
        .where(
          and(
            onShelf,
            eq(essays.columnId, query.columnId),
            after === null
              ? undefined
              : sql`(${essays.columnSort}, ${essays.id}) > (${Number(after[0])}::int, ${after[1]}::uuid)`,
          ),
        )
        .orderBy(essays.columnSort, essays.id)
        .offset(offset)
        .limit(limit),
    total: async () => {
      const [column] = await db.select().from(columns).where(eq(columns.id, query.columnId));
      return column?.essayCount ?? 0;
    },
    key: ({ essay }) => [String(essay.columnSort), essay.id],
    parts: ['int'],
  });

/** Of those whom the reader follows: the newest of each, then the newest of these. */
export const listFollowed = (db: Db, query: PageQuery & { followerId: string }): Promise<Page<CardRow>> =>
  readPage(query, {
    rows: async (position) => {
      const newest = db
        .select({ id: essays.id, publishedAt: essays.publishedAt })
        .from(essays)
        .where(and(eq(essays.authorId, follows.userId), onShelf, publishedAfter(position)))
        .orderBy(...newestFirst)
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
        .select({ total: sql<number>`coalesce(sum(${users.essayCount}), 0)::int` })
        .from(follows)
        .innerJoin(users, eq(users.id, follows.userId))
        .where(eq(follows.followerId, query.followerId));
      return row?.total ?? 0;
    },
    key: publishedKey,
    parts: ['time'],
  });

const savedKey = ({ essay }: CardRow): string[] => [essay.savedAt.toISOString(), essay.id];
const savedAfter = ({ after }: Position) => afterTime(sql`${essays.savedAt}`, sql`${essays.id}`, after);
const lastSavedFirst = [desc(essays.savedAt), desc(essays.id)];

/** All of an author's, as only the author sees them. */
export function listMine(
  db: Db,
  query: PageQuery & { authorId: string; status?: EssayStatus | undefined },
): Promise<Page<CardRow>> {
  const match = and(
    eq(essays.authorId, query.authorId),
    query.status === undefined ? undefined : eq(essays.status, query.status),
    isNull(essays.deletedAt),
  );
  return readPage(query, {
    rows: (position) =>
      selectCards(db)
        .where(and(match, savedAfter(position)))
        .orderBy(...lastSavedFirst)
        .offset(position.offset)
        .limit(position.limit),
    total: () => db.$count(essays, match),
    key: savedKey,
    parts: ['time'],
  });
}

export interface HistoryRow extends CardRow {
  history: typeof essayHistory.$inferSelect;
}

/** What a reader read, the last first; essays that are gone from the shelf are left out. */
export function listHistory(db: Db, query: PageQuery & { userId: string }): Promise<Page<HistoryRow>> {
  const match = eq(essayHistory.userId, query.userId);
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({ ...card, history: essayHistory })
        .from(essayHistory)
        .innerJoin(essays, eq(essays.id, essayHistory.essayId))
        .innerJoin(users, eq(users.id, essays.authorId))
        .leftJoin(categories, eq(categories.id, essays.categoryId))
        .where(
          and(match, onShelf, afterTime(sql`${essayHistory.readAt}`, sql`${essayHistory.essayId}`, after)),
        )
        .orderBy(desc(essayHistory.readAt), desc(essayHistory.essayId))
        .offset(offset)
        .limit(limit),
    total: async () => {
      const [row] = await db
        .select({ total: sql<number>`count(*)::int` })
        .from(essayHistory)
        .innerJoin(essays, eq(essays.id, essayHistory.essayId))
        .where(and(match, onShelf));
      return row?.total ?? 0;
    },
    key: ({ history }) => [history.readAt.toISOString(), history.essayId],
    parts: ['time'],
  });
}
