import type { listStaffComments } from '@mozhan/contract/comments.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { has, LOOKED_THROUGH, MOST_COUNTED } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { literal } from '../../../../db/literal.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { sqlInt } from '../../../../db/rows.ts';
import { madeWithin, timeOrder } from '../../../../db/sort.ts';
import { blocks, type User, users } from '../../../accounts/users/tables.ts';
import { essays } from '../../essays/tables.ts';
import { type CommentRow, commentCounts, comments } from '../tables.ts';

const answered = alias(users, 'answered');

const writer = {
  id: users.id,
  displayName: users.displayName,
  headImg: users.headImg,
  title: users.title,
  curIdentity: users.curIdentity,
  memberUntil: users.memberUntil,
};
const addressee = {
  id: answered.id,
  displayName: answered.displayName,
  headImg: answered.headImg,
  title: answered.title,
  curIdentity: answered.curIdentity,
  memberUntil: answered.memberUntil,
};
type CardUser = Pick<User, keyof typeof writer>;

export interface SaidRow {
  comment: CommentRow;
  user: CardUser;
  answered: CardUser | null;
}

const selectSaid = (db: Db) =>
  db
    .select({ comment: comments, user: writer, answered: addressee })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.userId))
    .leftJoin(answered, eq(answered.id, comments.replyToUserId));

export async function findSaid(db: Db, id: string): Promise<SaidRow | null> {
  const [row] = await selectSaid(db).where(eq(comments.id, id));
  return row ?? null;
}

/** As whom a list is looked at. */
export interface Eyes {
  viewerId: string | null;
  /** Whom the viewer does not want to read. */
  blocked: string[];
}

export async function findEyes(db: Db, viewerId: string | null): Promise<Eyes> {
  if (viewerId === null) return { viewerId, blocked: [] };
  const rows = await db.select({ id: blocks.blockedId }).from(blocks).where(eq(blocks.userId, viewerId));
  return { viewerId, blocked: rows.map((row) => row.id) };
}

const readable = ({ blocked }: Eyes): SQL | undefined =>
  blocked.length === 0 ? undefined : sql`${comments.userId} <> all(${sql.param(blocked)}::uuid[])`;

/** What a viewer does not see of an essay's comments, for whom they blocked: by the comment, or '' for comments themselves. */
export type Unseen = ReadonlyMap<string, number>;

/** Of those blocked, by the index of their words about one essay. */
export async function countUnseen(db: Db, essayId: string, { blocked }: Eyes): Promise<Unseen> {
  if (blocked.length === 0) return new Map();
  const rows = await db
    .select({ rootId: comments.rootId, count: sqlInt`count(*)::int` })
    .from(comments)
    .where(
      and(
        inArray(comments.userId, blocked),
        eq(comments.essayId, essayId),
        or(eq(comments.status, COMMENT_STATUS.shown), LISTED),
      ),
    )
    .groupBy(comments.rootId);
  return new Map(rows.map(({ rootId, count }) => [rootId ?? '', count]));
}

/** As the indexes of the list have it, word for word. */
const LISTED = sql`${comments.rootId} is null and (${comments.status} = ${literal(COMMENT_STATUS.shown)} or ${comments.replyCount} > 0)`;

type Sort = 'new' | 'hot';

const orders: Record<Sort, SQL> = {
  new: sql`${comments.pinned} desc, ${comments.id} desc`,
  hot: sql`${comments.pinned} desc, ${comments.likeCount} desc, ${comments.id} desc`,
};

function keyOf({ comment }: SaidRow, sort: Sort): string[] {
  const pinned = comment.pinned ? '1' : '0';
  return sort === 'new' ? [pinned, comment.id] : [pinned, String(comment.likeCount), comment.id];
}

/** Behind the last row, in the list's own order. */
function behind(after: string[] | null, sort: Sort): SQL | undefined {
  if (after === null) return undefined;
  const [pinned, likes] = after;
  const id = after.at(-1);
  if (sort === 'new')
    return sql`(${comments.pinned}, ${comments.id}) < (${pinned === '1'}::boolean, ${id}::uuid)`;
  return sql`(${comments.pinned}, ${comments.likeCount}, ${comments.id}) < (${pinned === '1'}::boolean, ${Number(likes)}::int, ${id}::uuid)`;
}

function inOrder(a: SaidRow, b: SaidRow, sort: Sort): number {
  const pinned = Number(b.comment.pinned) - Number(a.comment.pinned);
  const likes = sort === 'new' ? 0 : b.comment.likeCount - a.comment.likeCount;
  return pinned || likes || (a.comment.id < b.comment.id ? 1 : -1);
}

/** The comments of an essay; the viewer's own that wait for staff stand among them, and are not counted. */
export function listComments(
  db: Db,
  query: PageQuery & { essayId: string; sort: Sort; eyes: Eyes; unseen: Unseen },
): Promise<Page<SaidRow>> {
  const { essayId, sort, eyes, unseen } = query;
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const select = (match: SQL | undefined) =>
        selectSaid(db)
          .where(and(eq(comments.essayId, essayId), match, behind(after, sort)))
          .orderBy(orders[sort]);
      const listed = and(LISTED, readable(eyes));
      const held = and(
        eq(comments.userId, eyes.viewerId ?? ''),
        sql`${comments.status} = ${literal(COMMENT_STATUS.held)} and ${comments.rootId} is null and ${comments.replyCount} = 0`,
      );
      // Where one's own fall among the others is only known from the start or from a cursor on.
      if (eyes.viewerId === null || offset > 0) return select(listed).offset(offset).limit(limit);
      const rows = await Promise.all([listed, held].map((match) => select(match).limit(limit)));
      return rows
        .flat()
        .sort((a, b) => inOrder(a, b, sort))
        .slice(0, limit);
    },
    total: async () => (await countListed(db, essayId)) - (unseen.get('') ?? 0),
    key: (row) => keyOf(row, sort),
    parts: sort === 'new' ? ['flag'] : ['flag', 'int'],
  });
}

async function countListed(db: Db, essayId: string): Promise<number> {
  const [row] = await db.select().from(commentCounts).where(eq(commentCounts.essayId, essayId));
  return row?.count ?? 0;
}

const repliesFor = (eyes: Eyes): SQL | undefined =>
  and(
    or(
      eq(comments.status, COMMENT_STATUS.shown),
      eyes.viewerId === null
        ? undefined
        : and(eq(comments.status, COMMENT_STATUS.held), eq(comments.userId, eyes.viewerId)),
    ),
    readable(eyes),
  );

/** The first replies of each of these comments, in one go. */
export async function listFirstReplies(
  db: Db,
  { rootIds, each, eyes }: { rootIds: string[]; each: number; eyes: Eyes },
): Promise<Map<string, SaidRow[]>> {
  if (rootIds.length === 0) return new Map();
  const first = sql`(
    select reply.id from unnest(${sql.param(rootIds)}::uuid[]) as root (id) cross join lateral (
      select id from comments
      where root_id = root.id and ${repliesFor(eyes)}
      order by id limit ${each}
    ) as reply
  )`;
  const rows = await selectSaid(db).where(sql`${comments.id} in ${first}`).orderBy(comments.id);
  return Map.groupBy(rows, (row) => row.comment.rootId ?? '');
}

/** In the order they were made. */
export function listReplies(
  db: Db,
  query: PageQuery & { root: CommentRow; eyes: Eyes; unseen: Unseen },
): Promise<Page<SaidRow>> {
  const { root, eyes, unseen } = query;
  return listPage(db, query, {
    select: selectSaid(db),
    match: and(eq(comments.rootId, root.id), repliesFor(eyes)),
    id: comments.id,
    isDescending: false,
    total: async () => root.replyCount - (unseen.get(root.id) ?? 0),
    key: ({ comment }) => [comment.id],
  });
}

export interface StaffRow {
  comment: CommentRow;
  user: CardUser;
  essay: { id: string; title: string };
}

const selectForStaff = (db: Db) =>
  db
    .select({ comment: comments, user: writer, essay: { id: essays.id, title: essays.title } })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.userId))
    .innerJoin(essays, eq(essays.id, comments.essayId));

/** Looked for among the newest of the others' choice. */
const saying = (keyword: string, narrowed: SQL | undefined): SQL => sql`${comments.id} in (
  select newest.id from (
    select ${comments.id}, ${comments.content} from ${comments} where ${narrowed}
    order by ${comments.id} desc limit ${LOOKED_THROUGH}
  ) as newest where ${has(sql`newest.content`, keyword)})`;

/** Of all essays, the newest first unless it is said otherwise. */
export function listForStaff(
  db: Db,
  query: z.output<typeof listStaffComments.input>,
): Promise<Page<StaffRow>> {
  const { status, essayId, userId, keyword, sort = 'createdAt', order = SORT_ORDER.descending } = query;
  const narrowed = and(
    // By the number itself, as the index of what waits or was removed has it.
    status === undefined
      ? lt(comments.status, COMMENT_STATUS.deleted)
      : sql`${comments.status} = ${literal(status)}`,
    essayId === undefined ? undefined : eq(comments.essayId, essayId),
    userId === undefined ? undefined : eq(comments.userId, userId),
    madeWithin(comments.createdAt, query),
  );
  const match = and(
    narrowed,
    keyword ? saying(keyword, narrowed) : undefined,
    // Nothing can be done any more about what was said of an essay that is gone.
    isNull(essays.deletedAt),
  );
  return listPage(db, query, {
    select: selectForStaff(db),
    match,
    by: sort === 'createdAt' ? timeOrder(comments.createdAt, query) : comments[sort],
    id: comments.id,
    isDescending: order === SORT_ORDER.descending,
    total: async () => {
      const some = db
        .select({ id: comments.id })
        .from(comments)
        .innerJoin(essays, eq(essays.id, comments.essayId))
        .where(match)
        .limit(MOST_COUNTED)
        .as('some');
      return db.$count(some);
    },
    key: ({ comment }) => [comment[sort], comment.id],
  });
}

export async function findForStaff(db: Db, id: string): Promise<StaffRow | null> {
  const [row] = await selectForStaff(db).where(
    and(eq(comments.id, id), lt(comments.status, COMMENT_STATUS.deleted)),
  );
  return row ?? null;
}
