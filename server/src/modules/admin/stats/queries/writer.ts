import type { Page } from '@mozhan/contract/common.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { parseRow, parseRows, sqlInt } from '../../../../db/rows.ts';
import { userDays } from '../../../accounts/users/tables.ts';
import { essayDays, essays } from '../../../content/essays/tables.ts';
import { orders } from '../../../payments/orders/tables.ts';
import { ledgerAccounts, ledgerEntries, ledgerLines } from '../../../platform/ledger/tables.ts';

/** Includes essays that are off the shelf now. */
const publishedEssaysOf = (authorId: string) =>
  and(eq(essays.authorId, authorId), isNull(essays.deletedAt), isNotNull(essays.publishedAt));

const sum = (column: (typeof figures)[keyof typeof figures]) => sqlInt`coalesce(sum(${column}), 0)::int`;
const figures = {
  reads: essays.readCount,
  likes: essays.likeCount,
  comments: essays.cmtCount,
  collects: essays.collectCount,
  shares: essays.shareCount,
};

export type WriterFigures = Record<keyof typeof figures | 'income', number>;

/** Ledger lines of an author's earnings from orders, including refunds but not withdrawals. */
const earningsOf = (authorId: string) => sql`
  ${ledgerLines} as line
  join ${ledgerAccounts} as account on account.id = line.account_id
    and account.account = 'earnings' and account.user_id = ${authorId}
  join ${ledgerEntries} as entry on entry.id = line.entry_id and entry.order_id is not null`;

const incomeRow = z.object({ income: z.int() });

async function getIncome(db: Db, authorId: string): Promise<number> {
  const result = await db.execute(
    sql`select coalesce(sum(line.amount), 0)::bigint as income from ${earningsOf(authorId)}`,
  );
  return parseRow(incomeRow, result).income;
}

export async function getTotals(db: Db, authorId: string): Promise<WriterFigures> {
  const income = await getIncome(db, authorId);
  const [totals] = await db
    .select({
      reads: sum(figures.reads),
      likes: sum(figures.likes),
      comments: sum(figures.comments),
      collects: sum(figures.collects),
      shares: sum(figures.shares),
    })
    .from(essays)
    .where(publishedEssaysOf(authorId));
  return { reads: 0, likes: 0, comments: 0, collects: 0, shares: 0, ...totals, income };
}

const dayFigures = z.object({
  day: z.string(),
  reads: z.int(),
  likes: z.int(),
  comments: z.int(),
  collects: z.int(),
  shares: z.int(),
  income: z.int(),
  followers: z.int(),
});
export type DayFigures = z.output<typeof dayFigures>;

/** Returns every day of the range, with zeros for days without activity. */
export async function listDays(db: Db, authorId: string, from: string, to: string): Promise<DayFigures[]> {
  const result = await db.execute(sql`
    with written as (
      select essay_days.day, sum(reads) as reads, sum(likes) as likes, sum(cmts) as comments,
        sum(collects) as collects, sum(shares) as shares
      from essays join ${essayDays} on essay_days.essay_id = essays.id
        and essay_days.day between ${from}::date and ${to}::date
      where essays.author_id = ${authorId} and essays.deleted_at is null
      group by 1
    ), earned as (
      select (line.created_at at time zone 'Asia/Shanghai')::date as day, sum(line.amount) as income
      from ${earningsOf(authorId)}
      where line.created_at >= ${from}::date::timestamp at time zone 'Asia/Shanghai'
      group by 1
    )
    select to_char(each.day, 'YYYY-MM-DD') as day, coalesce(reads, 0)::int as reads,
      coalesce(likes, 0)::int as likes, coalesce(comments, 0)::int as comments,
      coalesce(collects, 0)::int as collects, coalesce(shares, 0)::int as shares,
      coalesce(income, 0)::int as income, coalesce(followers, 0)::int as followers
    from generate_series(${from}::date, ${to}::date, '1 day') as each (day)
    left join written on written.day = each.day
    left join earned on earned.day = each.day
    left join ${userDays} on user_days.user_id = ${authorId} and user_days.day = each.day
    order by each.day`);
  return parseRows(dayFigures, result);
}

const plotRow = z.object({ id: z.string(), reads: z.array(z.int()), income: z.int() });

interface PlotQuery {
  authorId: string;
  ids: string[];
  from: string;
  to: string;
}

/** Reads per day and income of some of the author's essays, in one query. */
export async function listEssayPlots(
  db: Db,
  { authorId, ids, from, to }: PlotQuery,
): Promise<z.output<typeof plotRow>[]> {
  const result = await db.execute(sql`
    select replace(essays.id::text, '-', '') as id,
      (select array_agg(coalesce(counted.reads, 0) order by each.day)
        from generate_series(${from}::date, ${to}::date, '1 day') as each (day)
        left join ${essayDays} as counted on counted.essay_id = essays.id and counted.day = each.day) as reads,
      (select coalesce(sum(sold.amount - sold.commission), 0)::bigint from ${orders} as sold
        where sold.payee_id = ${authorId} and sold.target_id = essays.id
          and sold.status = ${ORDER_STATUS.paid}) as income
    from ${essays}
    where essays.id = any(${sql.param(ids)}::uuid[]) and essays.author_id = ${authorId}
      and essays.deleted_at is null`);
  return parseRows(plotRow, result);
}

export type EssayStatRow = WriterFigures & { id: string; title: string; publishedAt: Date | null };

type Sort = keyof WriterFigures | 'publishedAt';

/** Sorted in descending order. */
export function listEssays(
  db: Db,
  query: PageQuery & { authorId: string; sort: Sort },
): Promise<Page<EssayStatRow>> {
  const { sort } = query;
  const match = publishedEssaysOf(query.authorId);
  // Excludes refunded orders; the income of a column belongs to no single essay.
  const sold = db
    .select({
      essayId: orders.targetId,
      income: sql`sum(${orders.amount} - ${orders.commission})`.mapWith(Number).as('income'),
    })
    .from(orders)
    .where(and(eq(orders.payeeId, query.authorId), eq(orders.status, ORDER_STATUS.paid)))
    .groupBy(orders.targetId)
    .as('sold');
  const income = sql`coalesce(${sold.income}, 0)::bigint`.mapWith(Number);
  const column = { ...figures, income, publishedAt: essays.publishedAt }[sort];
  const type = sql.raw(sort === 'publishedAt' ? 'timestamptz' : 'bigint');
  const afterCursor = (after: string[] | null) =>
    after === null ? undefined : sql`(${column}, ${essays.id}) < (${after[0]}::${type}, ${after[1]}::uuid)`;
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({ id: essays.id, title: essays.title, publishedAt: essays.publishedAt, ...figures, income })
        .from(essays)
        .leftJoin(sold, eq(sold.essayId, essays.id))
        .where(and(match, afterCursor(after)))
        .orderBy(desc(column), desc(essays.id))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(essays, match),
    key: (row) => {
      const value = row[sort];
      return [value instanceof Date ? value.toISOString() : String(value), row.id];
    },
    parts: [sort === 'publishedAt' ? 'time' : 'bigint'],
  });
}
