import type { listAuditQueue } from '@mozhan/contract/audit.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import type { EssayCharge, listStaffEssays } from '@mozhan/contract/staff-essays.ts';
import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { beginsWith, has, LOOKED_THROUGH, MOST_COUNTED } from '../../../../db/keyword.ts';
import { readPage } from '../../../../db/page.ts';
import { essays, essayTags } from '../tables.ts';
import { type CardRow, selectCards } from './lists.ts';

type Card = CardRow['essay'];

interface Order {
  by: SQL;
  type: 'timestamptz' | 'int';
  of: (essay: Card) => string;
}

const byTime = (by: SQL, of: (essay: Card) => Date | null): Order => ({
  by,
  type: 'timestamptz',
  of: (essay) => of(essay)?.toISOString() ?? '-infinity',
});
const byCount = (field: 'readCount' | 'likeCount' | 'cmtCount' | 'collectCount' | 'wordCount'): Order => ({
  by: sql`${essays[field]}`,
  type: 'int',
  of: (essay) => String(essay[field]),
});

/** As the index has it, word for word; what never was on the shelf is the oldest. */
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

/** The order, and what comes behind a cursor in it. */
function sortedBy(name: keyof typeof orders, isDescending: boolean) {
  const { by, type, of } = orders[name];
  const [direction, comparison] = isDescending ? [desc, sql.raw('<')] : [asc, sql.raw('>')];
  return {
    order: [direction(by), direction(essays.id)],
    behind(after: string[] | null): SQL | undefined {
      if (after === null) return undefined;
      const [value, id] = after;
      return sql`(${by}, ${essays.id}) ${comparison} (${value}::${sql.raw(type)}, ${id}::uuid)`;
    },
    key: ({ essay }: CardRow): string[] => [of(essay), essay.id],
    parts: [parts[type]],
  };
}

const isThere = isNull(essays.deletedAt);

/** By the beginning of the title, which an index finds, and by any part of it among those last saved. */
const titled = (keyword: string, narrowed: SQL | undefined): SQL => sql`${essays.id} in (
  select ${essays.id} from ${essays} where ${isThere} and ${beginsWith(sql`lower(${essays.title})`, keyword)}
  union
  select newest.id from (
    select ${essays.id}, ${essays.title} from ${essays} where ${and(isThere, narrowed)}
    order by ${essays.savedAt} desc, ${essays.id} desc limit ${LOOKED_THROUGH}
  ) as newest where ${has(sql`newest.title`, keyword)})`;

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

function matchFor(query: z.output<typeof listStaffEssays.input>): SQL | undefined {
  const { keyword, status, categoryId, authorId, columnId, tag, charge, from, to } = query;
  const narrowed = and(
    status === undefined ? undefined : eq(essays.status, status),
    authorId === undefined ? undefined : eq(essays.authorId, authorId),
  );
  return and(
    isThere,
    narrowed,
    keyword ? titled(keyword, narrowed) : undefined,
    categoryId === undefined ? undefined : eq(essays.categoryId, categoryId),
    columnId === undefined ? undefined : eq(essays.columnId, columnId),
    tag === undefined
      ? undefined
      : sql`${essays.id} in (select ${essayTags.essayId} from ${essayTags} where ${essayTags.tag} = ${tag})`,
    charge === undefined ? undefined : charges[charge],
    publishedWithin(from, to),
  );
}

function countUpTo(db: Db, match: SQL | undefined): Promise<number> {
  const some = db.select({ id: essays.id }).from(essays).where(match).limit(MOST_COUNTED).as('some');
  return db.$count(some);
}

/** All there are, those last saved first unless it is said otherwise. */
export function listForStaff(db: Db, query: z.output<typeof listStaffEssays.input>): Promise<Page<CardRow>> {
  const { sort, order } = query;
  const match = matchFor(query);
  const sorted = sortedBy(sort ?? 'savedAt', sort === undefined || order === SORT_ORDER.descending);
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectCards(db)
        .where(and(match, sorted.behind(after)))
        .orderBy(...sorted.order)
        .offset(offset)
        .limit(limit),
    total: () => countUpTo(db, match),
    key: sorted.key,
    parts: sorted.parts,
  });
}

/** Waiting for an audit, first come first served. They are few enough to be looked through. */
export function listQueue(db: Db, query: z.output<typeof listAuditQueue.input>): Promise<Page<CardRow>> {
  const { keyword, categoryId, authorId, kind, sort, order } = query;
  const match = and(
    sql`${essays.submittedAt} is not null`,
    isThere,
    keyword ? has(sql`${essays.title}`, keyword) : undefined,
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
        .where(and(match, sorted.behind(after)))
        .orderBy(...sorted.order)
        .offset(offset)
        .limit(limit),
    total: () => db.$count(essays, match),
    key: sorted.key,
    parts: sorted.parts,
  });
}
