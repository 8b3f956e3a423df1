import type { Page } from '@mozhan/contract/common.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { ListedEssay } from '@mozhan/contract/essays.ts';
import type { Ctx } from '../../../../ctx.ts';
import { createLookup, createStatement } from '../../../../db/lookup.ts';
import {
  encodeCursor,
  findCursorKey,
  type KeyPart,
  type PagePosition,
  type PageQuery,
  readPage,
} from '../../../../db/page.ts';
import { type CardRow, createCardsQuery, createShelfCountQuery } from '../queries/lists.ts';
import { createSitePinsQuery } from '../queries/pins.ts';
import * as queries from '../queries/recommend.ts';
import { NO_RUN, type Run, runAfter, spreadAuthors } from '../rules/recommend.ts';
import { toCards } from './read.ts';

const findCard = createLookup((db) => {
  const list = createCardsQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.essay.id, row]));
});

const findSitePins = createLookup(createSitePinsQuery);

/** The site's pinned essays of a category, or all, in the order of their positions. */
export async function listSitePins(ctx: Ctx, categoryId: string | null = null): Promise<CardRow[]> {
  const pins = (await findSitePins(ctx, 'site')) ?? [];
  return categoryId === null ? pins : pins.filter(({ category }) => category?.id === categoryId);
}

const findShelfCount = createLookup(createShelfCountQuery);

export const getShelfCount = async (ctx: Ctx, categoryId: string | null = null): Promise<number> =>
  (await findShelfCount(ctx, categoryId ?? '')) ?? 0;

/** Keeps the order of the ids, and omits essays that are no longer on the shelf. */
async function listCards(ctx: Ctx, ids: string[]): Promise<CardRow[]> {
  const rows = await Promise.all(ids.map((id) => findCard(ctx, id)));
  return rows.filter((row) => row !== null);
}

/**
 * The hot list is read in windows of this size, in each of which the essays of one author are spread. A cursor names its
 * window and the position in it, so that every page costs the same.
 */
const WINDOW_SIZE = 200;
/** How many windows a page may read; a reader who has read all of them gets a shorter page. */
const MAX_WINDOWS = 2;
const NO_ID = '0'.repeat(32);

interface HotStart {
  /** Where the window begins. */
  after: queries.HotPosition;
  offset: number;
  /** The essays before the window. */
  before: Run;
  /** The last essay of the previous page, and its position in the window. */
  lastId: string;
  position: number;
}

/** Higher than any score. */
const HOT_BEGIN: queries.HotPosition = { score: '1000000000', id: 'f'.repeat(32) };

/** Score and id where the window begins, position, author and length of the run before the window; then the last id. */
const HOT_PARTS: readonly KeyPart[] = ['float', 'id', 'int', 'id', 'int'];

const hotKeyOf = ({ after, before, position, lastId }: Omit<HotStart, 'offset'>): string[] => [
  after.score,
  after.id,
  String(position),
  before.authorId || NO_ID,
  String(before.length),
  lastId,
];

function parseHotKey([
  score = '',
  id = '',
  position,
  authorId = '',
  length,
  lastId = '',
]: string[]): HotStart {
  return {
    after: { score, id },
    offset: 0,
    before: { authorId, length: Number(length) },
    lastId,
    position: Number(position),
  };
}

const hotStartAt = (offset: number, before: Run): HotStart => ({
  after: HOT_BEGIN,
  offset: offset - (offset % WINDOW_SIZE),
  before: offset < WINDOW_SIZE ? before : NO_RUN,
  lastId: NO_ID,
  position: (offset % WINDOW_SIZE) - 1,
});

interface HotEssay {
  id: string;
  key: string[];
}

interface HotQuery {
  start: HotStart;
  limit: number;
  categoryId: string | null;
  excluded: readonly string[];
  /** Set for a reader: leaves out what they know. */
  readerId: string | null;
}

const findHotIds = createStatement((db) => queries.createHotIdsQuery(db, WINDOW_SIZE));

/** The list of the whole site by cursor is the most frequent one. */
const listHotIds = (
  ctx: Ctx,
  { after, excluded, offset, categoryId }: Pick<HotQuery, 'excluded' | 'categoryId'> & HotStart,
): Promise<queries.HotRow[]> =>
  categoryId === null && offset === 0
    ? findHotIds(ctx, { after, excluded })
    : queries.listHotIds(ctx.db, { after, excluded, offset, categoryId, limit: WINDOW_SIZE });

/** `rest` is set if more windows must be read to know whether there are more essays. */
async function readHot(
  ctx: Ctx,
  { start, limit, readerId, ...filter }: HotQuery,
): Promise<{ essays: HotEssay[]; rest: string[] | null }> {
  const essays: HotEssay[] = [];
  let window = start;
  for (let count = 1; ; count++) {
    const { after, before, lastId } = window;
    const rows = await listHotIds(ctx, { ...filter, ...window });
    // All rows are ordered, also those that the reader knows, so that reading does not change the order.
    const ordered = spreadAuthors(rows, before);
    const found = ordered.findIndex(({ id }) => id === lastId);
    const first = (found === -1 ? window.position : found) + 1;
    const next = ordered.slice(first).map(({ id }, index) => ({ id, position: first + index }));
    const ids = next.map(({ id }) => id);
    const listed = readerId === null ? null : await queries.listUnknownIds(ctx.db, readerId, ids);
    for (const { id, position } of next)
      if (essays.length < limit && (listed === null || listed.has(id)))
        essays.push({ id, key: hotKeyOf({ after, before, position, lastId: id }) });
    const last = rows.at(-1);
    if (essays.length === limit || rows.length < WINDOW_SIZE || last === undefined)
      return { essays, rest: null };
    window = {
      after: { score: String(last.score), id: last.id },
      offset: 0,
      before: ordered.reduce(runAfter, before),
      lastId: NO_ID,
      position: -1,
    };
    if (count === MAX_WINDOWS) return { essays, rest: hotKeyOf(window) };
  }
}

interface VisitorQuery extends PageQuery {
  categoryId: string | null;
  /** Listed before the others. */
  pinned: CardRow[];
}

/** The hot list, with at most two essays of one author in a row. */
export async function listForVisitors(
  ctx: Ctx,
  { categoryId, ...query }: VisitorQuery,
): Promise<Page<CardRow>> {
  const pinned = query.pinned.slice(0, query.pageSize - 1);
  const before = pinned.map(({ essay }) => essay).reduce(runAfter, NO_RUN);
  const page = await readPage<HotEssay>(query, {
    rows: async ({ after, offset, limit }: PagePosition) => {
      const start = after === null ? hotStartAt(offset, before) : parseHotKey(after);
      const excluded = pinned.map(({ essay }) => essay.id);
      return (await readHot(ctx, { start, limit, categoryId, excluded, readerId: null })).essays;
    },
    first: pinned.map(({ essay }) => ({ id: essay.id, key: [] })),
    total: () => getShelfCount(ctx, categoryId),
    key: ({ key }) => key,
    parts: HOT_PARTS,
  });
  const ids = page.list.map(({ id }) => id);
  return { ...page, list: await listCards(ctx, ids) };
}

/** Page numbers reach this far, because all essays before the page are read; cursors have no limit. */
const MAX_OFFSET = 1000;

const FOLLOWED_PARTS: readonly KeyPart[] = ['time'];

function parseReaderCursor(cursor: string): { followed: string[] | null; hot: string[] | null } {
  const followed = findCursorKey(cursor, FOLLOWED_PARTS);
  const hot = findCursorKey(cursor, HOT_PARTS);
  if (followed === null && hot === null) throw invalidField('cursor', '游标无效，请从第一页重新开始');
  return { followed, hot };
}

/** Unread essays: pinned ones, then those of followed authors, columns and tags, newest first, then hot ones. */
export async function listForReader(
  ctx: Ctx,
  readerId: string,
  { page, pageSize, cursor }: PageQuery,
): Promise<Page<ListedEssay>> {
  if (cursor === undefined && (page - 1) * pageSize > MAX_OFFSET)
    return { list: [], total: await getShelfCount(ctx), page, pageSize, next: null };
  const { followed: followedKey, hot: hotKey } =
    cursor === undefined ? { followed: null, hot: null } : parseReaderCursor(cursor);
  const pins = (await listSitePins(ctx)).slice(0, pageSize - 1).map(({ essay }) => essay.id);
  const unread = await queries.listUnreadIds(ctx.db, readerId, pins);
  const unreadPins = cursor === undefined ? pins.filter((id) => unread.has(id)) : [];
  const pinned = page === 1 ? unreadPins : [];
  const offset = cursor === undefined && page > 1 ? (page - 1) * pageSize - unreadPins.length : 0;
  const size = pageSize - pinned.length;

  const found =
    hotKey === null
      ? await queries.listFollowedIds(ctx.db, {
          userId: readerId,
          after: followedKey && { publishedAt: followedKey[0] ?? '', id: followedKey[1] ?? '' },
          excluded: pins,
          limit: offset + size + 1,
        })
      : [];
  const followed = found.slice(offset, offset + size);
  const hotSize = size - followed.length;
  const hasMoreFollowed = found.length > offset + size;
  const hotStart = hotKey === null ? hotStartAt(0, NO_RUN) : parseHotKey(hotKey);
  const skipped = Math.max(0, offset - found.length);
  const { essays, rest } = hasMoreFollowed
    ? { essays: [], rest: null }
    : await readHot(ctx, {
        start: hotStart,
        limit: skipped + hotSize + 1,
        categoryId: null,
        excluded: pins,
        readerId,
      });
  const hot = essays.slice(skipped);
  const listedHot = hot.slice(0, hotSize);

  const findNext = (): string[] | null => {
    const last = followed.at(-1);
    if (hasMoreFollowed && last !== undefined) return [last.publishedAt.toISOString(), last.id];
    if (hot.length > hotSize) return listedHot.at(-1)?.key ?? hotKeyOf(hotStart);
    return rest;
  };
  const next = findNext();
  const reasons = new Map(followed.map(({ id, reason }) => [id, reason]));
  const ids = [...pinned, ...[...followed, ...listedHot].map(({ id }) => id)];
  const cards = toCards(ctx, await listCards(ctx, ids));
  return {
    list: cards.map((card) => {
      const reason = reasons.get(card.id);
      return { ...card, pinned: pinned.includes(card.id), ...(reason && { reason }) };
    }),
    total: await getShelfCount(ctx),
    page,
    pageSize,
    next: next && encodeCursor(next),
  };
}
