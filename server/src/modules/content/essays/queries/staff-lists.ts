import type { listAuditQueue } from '@mozhan/contract/audit.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import type { EssayCharge, listStaffEssays } from '@mozhan/contract/staff-essays.ts';
import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import {
  containsKeyword,
  MAX_COUNTED_ROWS,
  MAX_SCANNED_ROWS,
  startsWithKeyword,
} from '../../../../db/keyword.ts';
import { readPage } from '../../../../db/page.ts';
import { essays, essayTags } from '../tables.ts';
import { type CardRow, selectCards } from './lists.ts';

type Card = CardRow['essay'];

interface Order {
  by: SQL;
  type: 'timestamptz' | 'int';
  toKey: (essay: Card) => string;
}

const byTime = (by: SQL, toKey: (essay: Card) => Date | null): Order => ({
  by,
  type: 'timestamptz',
  toKey: (essay) => toKey(essay)?.toISOString() ?? '-infinity',
});
const byCount = (field: 'readCount' | 'likeCount' | 'cmtCount' | 'collectCount' | 'wordCount'): Order => ({
  by: sql`${essays[field]}`,
  type: 'int',
  toKey: (essay) => String(essay[field]),
});

/** Must equal the expression of the index. Essays that were never on the shelf are the oldest. */
const PUBLISHED = sql`coalesce(${essays.publishedAt}, '-infinity')`;

const orders = {
  savedAt: byTime(sql`${essays.savedAt}`, (essay) => essay.savedAt),
  publishedAt: byTime(PUBLISHED, (essay) => essay.publishedAt),
  submittedAt: byTime(sql`${essays.submittedAt}`, (essay) => essay.submittedAt),
  wordCount: byCount('wordCount'),
  readCount: byCount('readCount'),
  likeCount: byCount('likeCount'),
  cmtCount: byCount('cmtCount'),
  collectCount: byCount('collectCount'),
};

const parts = { timestamptz: 'timeOrNever', int: 'int' } as const;

function sortedBy(name: keyof typeof orders, isDescending: boolean) {
  const { by, type, toKey } = orders[name];
  const [direction, comparison] = isDescending ? [desc, sql.raw('<')] : [asc, sql.raw('>')];
  return {
    order: [direction(by), direction(essays.id)],
    afterCursor(after: string[] | null): SQL | undefined {
      if (after === null) return undefined;
      const [value, id] = after;
      return sql`(${by}, ${essays.id}) ${comparison} (${value}::${sql.raw(type)}, ${id}::uuid)`;
    },
    key: ({ essay }: CardRow): string[] => [toKey(essay), essay.id],
    parts: [parts[type]],
  };
}

const notDeleted = isNull(essays.deletedAt);

/** Matches the beginning of a title by index, and any part of a title among the last saved essays only. */
const titleMatches = (keyword: string, filter: SQL | undefined): SQL => sql`${essays.id} in (
  select ${essays.id} from ${essays} where ${notDeleted} and ${startsWithKeyword(sql`lower(${essays.title})`, keyword)}
  union
  select newest.id from (
    select ${essays.id}, ${essays.title} from ${essays} where ${and(notDeleted, filter)}
    order by ${essays.savedAt} desc, ${essays.id} desc limit ${MAX_SCANNED_ROWS}
  ) as newest where ${containsKeyword(sql`newest.title`, keyword)})`;

const charges: Record<EssayCharge, SQL> = {
  free: sql`${essays.price} = 0 and not ${essays.memberFree}`,
  paid: sql`${essays.price} > 0`,
  member: sql`${essays.memberFree}`,
};

const midnight = (day: string): SQL => sql`${`${day}T00:00:00+08:00`}::timestamptz`;

function publishedWithin(from: string | undefined, to: string | undefined): SQL | undefined {
  if (from === undefined && to === undefined) return undefined;
  return and(
    sql`${essays.publishedAt} is not null`,
    from === undefined ? undefined : sql`${PUBLISHED} >= ${midnight(from)}`,
    to === undefined ? undefined : sql`${PUBLISHED} < ${midnight(to)} + interval '1 day'`,
  );
}

function toFilter(query: z.output<typeof listStaffEssays.input>): SQL | undefined {
  const { keyword, status, categoryId, authorId, columnId, tag, charge, pinned, from, to } = query;
  const filter = and(
    status === undefined ? undefined : eq(essays.status, status),
    authorId === undefined ? undefined : eq(essays.authorId, authorId),
  );
  return and(
    notDeleted,
    filter,
    keyword ? titleMatches(keyword, filter) : undefined,
    categoryId === undefined ? undefined : eq(essays.categoryId, categoryId),
    columnId === undefined ? undefined : eq(essays.columnId, columnId),
    tag === undefined
      ? undefined
      : sql`${essays.id} in (select ${essayTags.essayId} from ${essayTags} where ${essayTags.tag} = ${tag})`,
    charge === undefined ? undefined : charges[charge],
    pinned === undefined ? undefined : isNotNull(essays.sitePin),
    publishedWithin(from, to),
  );
}

function countUpTo(db: Db, match: SQL | undefined): Promise<number> {
  const some = db.select({ id: essays.id }).from(essays).where(match).limit(MAX_COUNTED_ROWS).as('some');
  return db.$count(some);
}

/** Essays of any status, last saved first by default. */
export function listForStaff(db: Db, query: z.output<typeof listStaffEssays.input>): Promise<Page<CardRow>> {
  const { sort, order } = query;
  const match = toFilter(query);
  const sorted = sortedBy(sort ?? 'savedAt', sort === undefined || order === SORT_ORDER.descending);
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectCards(db)
        .where(and(match, sorted.afterCursor(after)))
        .orderBy(...sorted.order)
        .offset(offset)
        .limit(limit),
    total: () => countUpTo(db, match),
    key: sorted.key,
    parts: sorted.parts,
  });
}

/** Essays waiting for an audit, oldest first by default. The queue is short, so the keyword needs no index. */
export function listQueue(db: Db, query: z.output<typeof listAuditQueue.input>): Promise<Page<CardRow>> {
  const { keyword, categoryId, authorId, kind, sort, order } = query;
  const match = and(
    sql`${essays.submittedAt} is not null`,
    notDeleted,
    keyword ? containsKeyword(sql`${essays.title}`, keyword) : undefined,
    categoryId === undefined ? undefined : eq(essays.categoryId, categoryId),
    authorId === undefined ? undefined : eq(essays.authorId, authorId),
    kind === undefined
      ? undefined
      : sql`${essays.revisionStatus} is ${sql.raw(kind === 'first' ? '' : 'not')} null`,
  );
  const sorted = sortedBy(sort ?? 'submittedAt', sort !== undefined && order === SORT_ORDER.descending);
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectCards(db)
        .where(and(match, sorted.afterCursor(after)))
        .orderBy(...sorted.order)
        .offset(offset)
        .limit(limit),
    total: () => db.$count(essays, match),
    key: sorted.key,
    parts: sorted.parts,
  });
}
