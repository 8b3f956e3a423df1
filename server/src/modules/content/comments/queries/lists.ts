import type { listStaffComments } from '@mozhan/contract/comments.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { and, desc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { containsKeyword, MAX_COUNTED_ROWS, MAX_SCANNED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { literal } from '../../../../db/literal.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { sqlInt } from '../../../../db/rows.ts';
import { createdWithin, timeSortColumn } from '../../../../db/sort.ts';
import { blocks, type User, users } from '../../../accounts/users/tables.ts';
import { essays, type HighlightRow, highlights } from '../../essays/tables.ts';
import { type CommentRow, commentCounts, comments } from '../tables.ts';

const repliedTo = alias(users, 'answered');

const writer = {
  id: users.id,
  displayName: users.displayName,
  headImg: users.headImg,
  title: users.title,
  curIdentity: users.curIdentity,
  memberUntil: users.memberUntil,
};
const addressee = {
  id: repliedTo.id,
  displayName: repliedTo.displayName,
  headImg: repliedTo.headImg,
  title: repliedTo.title,
  curIdentity: repliedTo.curIdentity,
  memberUntil: repliedTo.memberUntil,
};
type CardUser = Pick<User, keyof typeof writer>;

const repliedToComment = alias(comments, 'answered_comment');
const guest = { name: repliedToComment.guestName, site: repliedToComment.guestSite };

const quoted = {
  exact: highlights.exact,
  state: highlights.state,
  locked: highlights.locked,
  startAt: highlights.startAt,
  endAt: highlights.endAt,
};
type QuotedPassage = Pick<HighlightRow, keyof typeof quoted>;

export interface CommentListRow {
  comment: CommentRow;
  /** Null for a guest. */
  user: CardUser | null;
  repliedTo: CardUser | null;
  repliedToGuest: { name: string | null; site: string } | null;
  quoted: QuotedPassage | null;
}

const selectListRows = (db: Db) =>
  db
    .select({ comment: comments, user: writer, repliedTo: addressee, repliedToGuest: guest, quoted })
    .from(comments)
    .leftJoin(users, eq(users.id, comments.userId))
    .leftJoin(repliedTo, eq(repliedTo.id, comments.replyToUserId))
    .leftJoin(repliedToComment, eq(repliedToComment.id, comments.replyToGuestId))
    .leftJoin(highlights, eq(highlights.id, comments.highlightId));

export async function findListRow(db: Db, id: string): Promise<CommentListRow | null> {
  const [row] = await selectListRows(db).where(eq(comments.id, id));
  return row ?? null;
}

/** Visible comments by id, newest first, without those of blocked users. */
export const listVisibleByIds = (
  db: Db,
  ids: string[],
  viewerFilter: ViewerFilter,
): Promise<CommentListRow[]> =>
  selectListRows(db)
    .where(
      and(inArray(comments.id, ids), eq(comments.status, COMMENT_STATUS.visible), notBlocked(viewerFilter)),
    )
    .orderBy(desc(comments.id));

export interface ViewerFilter {
  viewerId: string | null;
  blocked: string[];
}

export async function getViewerFilter(db: Db, viewerId: string | null): Promise<ViewerFilter> {
  if (viewerId === null) return { viewerId, blocked: [] };
  const rows = await db.select({ id: blocks.blockedId }).from(blocks).where(eq(blocks.userId, viewerId));
  return { viewerId, blocked: rows.map((row) => row.id) };
}

/** Guests cannot be blocked. */
const notBlocked = ({ blocked }: ViewerFilter): SQL | undefined =>
  blocked.length === 0
    ? undefined
    : sql`(${comments.userId} is null or ${comments.userId} <> all(${sql.param(blocked)}::uuid[]))`;

/** Numbers of entries hidden by blocks: replies by the id of their comment, comments under the key ''. */
export type HiddenCounts = ReadonlyMap<string, number>;

export async function countHidden(db: Db, essayId: string, { blocked }: ViewerFilter): Promise<HiddenCounts> {
  if (blocked.length === 0) return new Map();
  const rows = await db
    .select({ rootId: comments.rootId, count: sqlInt`count(*)::int` })
    .from(comments)
    .where(
      and(
        inArray(comments.userId, blocked),
        eq(comments.essayId, essayId),
        or(eq(comments.status, COMMENT_STATUS.visible), LISTED),
      ),
    )
    .groupBy(comments.rootId);
  return new Map(rows.map(({ rootId, count }) => [rootId ?? '', count]));
}

/** Must equal the condition of the list indexes. */
const LISTED = sql`${comments.rootId} is null and (${comments.status} = ${literal(COMMENT_STATUS.visible)} or ${comments.replyCount} > 0)`;

type Sort = 'new' | 'hot';

const orders: Record<Sort, SQL> = {
  new: sql`${comments.pinned} desc, ${comments.id} desc`,
  hot: sql`${comments.pinned} desc, ${comments.likeCount} desc, ${comments.id} desc`,
};

function keyOf({ comment }: CommentListRow, sort: Sort): string[] {
  const pinned = comment.pinned ? '1' : '0';
  return sort === 'new' ? [pinned, comment.id] : [pinned, String(comment.likeCount), comment.id];
}

function afterCursor(after: string[] | null, sort: Sort): SQL | undefined {
  if (after === null) return undefined;
  const [pinned, likes] = after;
  const id = after.at(-1);
  if (sort === 'new')
    return sql`(${comments.pinned}, ${comments.id}) < (${pinned === '1'}::boolean, ${id}::uuid)`;
  return sql`(${comments.pinned}, ${comments.likeCount}, ${comments.id}) < (${pinned === '1'}::boolean, ${Number(likes)}::int, ${id}::uuid)`;
}

function compareRows(a: CommentListRow, b: CommentListRow, sort: Sort): number {
  const pinned = Number(b.comment.pinned) - Number(a.comment.pinned);
  const likes = sort === 'new' ? 0 : b.comment.likeCount - a.comment.likeCount;
  return pinned || likes || (a.comment.id < b.comment.id ? 1 : -1);
}

/** Includes the viewer's own held comments, which the total does not count. */
export function listComments(
  db: Db,
  query: PageQuery & { essayId: string; sort: Sort; viewerFilter: ViewerFilter; hiddenCounts: HiddenCounts },
): Promise<Page<CommentListRow>> {
  const { essayId, sort, viewerFilter, hiddenCounts } = query;
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const select = (match: SQL | undefined) =>
        selectListRows(db)
          .where(and(eq(comments.essayId, essayId), match, afterCursor(after, sort)))
          .orderBy(orders[sort]);
      const listed = and(LISTED, notBlocked(viewerFilter));
      const held = and(
        eq(comments.userId, viewerFilter.viewerId ?? ''),
        sql`${comments.status} = ${literal(COMMENT_STATUS.held)} and ${comments.rootId} is null and ${comments.replyCount} = 0`,
      );
      // Held comments can be merged only from the start or from a cursor, not at an offset.
      if (viewerFilter.viewerId === null || offset > 0) return select(listed).offset(offset).limit(limit);
      const rows = await Promise.all([listed, held].map((match) => select(match).limit(limit)));
      return rows
        .flat()
        .sort((a, b) => compareRows(a, b, sort))
        .slice(0, limit);
    },
    total: async () => (await countListed(db, essayId)) - (hiddenCounts.get('') ?? 0),
    key: (row) => keyOf(row, sort),
    parts: sort === 'new' ? ['flag'] : ['flag', 'int'],
  });
}

async function countListed(db: Db, essayId: string): Promise<number> {
  const [row] = await db.select().from(commentCounts).where(eq(commentCounts.essayId, essayId));
  return row?.count ?? 0;
}

const visibleReplies = (viewerFilter: ViewerFilter): SQL | undefined =>
  and(
    or(
      eq(comments.status, COMMENT_STATUS.visible),
      viewerFilter.viewerId === null
        ? undefined
        : and(eq(comments.status, COMMENT_STATUS.held), eq(comments.userId, viewerFilter.viewerId)),
    ),
    notBlocked(viewerFilter),
  );

/** Reads the first replies of all comments in one query. */
export async function listFirstReplies(
  db: Db,
  { rootIds, each, viewerFilter }: { rootIds: string[]; each: number; viewerFilter: ViewerFilter },
): Promise<Map<string, CommentListRow[]>> {
  if (rootIds.length === 0) return new Map();
  const first = sql`(
    select reply.id from unnest(${sql.param(rootIds)}::uuid[]) as root (id) cross join lateral (
      select id from comments
      where root_id = root.id and ${visibleReplies(viewerFilter)}
      order by id limit ${each}
    ) as reply
  )`;
  const rows = await selectListRows(db).where(sql`${comments.id} in ${first}`).orderBy(comments.id);
  return Map.groupBy(rows, (row) => row.comment.rootId ?? '');
}

/** Oldest first. */
export function listReplies(
  db: Db,
  query: PageQuery & { root: CommentRow; viewerFilter: ViewerFilter; hiddenCounts: HiddenCounts },
): Promise<Page<CommentListRow>> {
  const { root, viewerFilter, hiddenCounts } = query;
  return listPage(db, query, {
    select: selectListRows(db),
    match: and(eq(comments.rootId, root.id), visibleReplies(viewerFilter)),
    id: comments.id,
    isDescending: false,
    total: async () => root.replyCount - (hiddenCounts.get(root.id) ?? 0),
    key: ({ comment }) => [comment.id],
  });
}

export interface StaffCommentRow {
  comment: CommentRow;
  user: CardUser | null;
  essay: { id: string; title: string };
  quoted: QuotedPassage | null;
}

const selectForStaff = (db: Db) =>
  db
    .select({ comment: comments, user: writer, essay: { id: essays.id, title: essays.title }, quoted })
    .from(comments)
    .leftJoin(users, eq(users.id, comments.userId))
    .leftJoin(highlights, eq(highlights.id, comments.highlightId))
    .innerJoin(essays, eq(essays.id, comments.essayId));

/** Searches texts and names of guests, only in the newest comments that match the other filters. */
const contentMatches = (keyword: string, filter: SQL | undefined): SQL => sql`${comments.id} in (
  select newest.id from (
    select ${comments.id}, ${comments.content}, ${comments.guestName} from ${comments} where ${filter}
    order by ${comments.id} desc limit ${MAX_SCANNED_ROWS}
  ) as newest where ${containsKeyword(sql`newest.content`, keyword)}
    or ${containsKeyword(sql`newest.guest_name`, keyword)})`;

/** Comments of all essays, newest first by default. */
export function listForStaff(
  db: Db,
  query: z.output<typeof listStaffComments.input>,
): Promise<Page<StaffCommentRow>> {
  const {
    status,
    essayId,
    userId,
    guest,
    keyword,
    sort = 'createdAt',
    order = SORT_ORDER.descending,
  } = query;
  const filter = and(
    // A literal instead of a parameter, so that the partial index is used.
    status === undefined
      ? lt(comments.status, COMMENT_STATUS.deleted)
      : sql`${comments.status} = ${literal(status)}`,
    essayId === undefined ? undefined : eq(comments.essayId, essayId),
    userId === undefined ? undefined : eq(comments.userId, userId),
    guest === undefined ? undefined : isNull(comments.userId),
    createdWithin(comments.createdAt, query),
  );
  const match = and(
    filter,
    keyword ? contentMatches(keyword, filter) : undefined,
    // Comments of deleted essays cannot be moderated.
    isNull(essays.deletedAt),
  );
  return listPage(db, query, {
    select: selectForStaff(db),
    match,
    by: sort === 'createdAt' ? timeSortColumn(comments.createdAt, query) : comments[sort],
    id: comments.id,
    isDescending: order === SORT_ORDER.descending,
    total: async () => {
      const some = db
        .select({ id: comments.id })
        .from(comments)
        .innerJoin(essays, eq(essays.id, comments.essayId))
        .where(match)
        .limit(MAX_COUNTED_ROWS)
        .as('some');
      return db.$count(some);
    },
    key: ({ comment }) => [comment[sort], comment.id],
  });
}

export async function findForStaff(db: Db, id: string): Promise<StaffCommentRow | null> {
  const [row] = await selectForStaff(db).where(
    and(eq(comments.id, id), lt(comments.status, COMMENT_STATUS.deleted)),
  );
  return row ?? null;
}
