import { COMMENT_STATUS, ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { parseRows } from '../../../db/rows.ts';

export interface CounterDifference {
  /** `essays.like_count`. */
  counter: string;
  id: string;
  expected: number;
  found: number;
}

/** `stored` selects the counter as `id, found`; `counted` counts its rows as `id, expected`. */
type Counter = [name: string, stored: string, counted: string];

const column = (table: string, name: string, counted: string): Counter => [
  `${table}.${name}`,
  `select id, ${name} as found from ${table}`,
  counted,
];
const rows = (table: string, by: string, where = 'true'): string =>
  `select ${by} as id, count(*) as expected from ${table} where ${where} group by 1`;
const sumOfDays = (kind: string, counter: string): Counter => [
  `essay_days.${kind}`,
  `select essay_id as id, sum(${kind}) as found from essay_days group by 1`,
  `select id, ${counter} as expected from essays`,
];

const ON_SHELF = `status = ${ESSAY_STATUS.onShelf}`;
const VISIBLE = `status = ${COMMENT_STATUS.visible}`;
const isUnread = 'notices.read_at is null and notices.position > notice_boxes.read_to';
const countNotices = (aggregate: string): string => `
  select notices.user_id || ' ' || kind as id, ${aggregate} as expected
  from notices join notice_boxes on notice_boxes.user_id = notices.user_id group by 1`;

const counters: Counter[] = [
  column('essays', 'like_count', rows('essay_likes', 'essay_id')),
  column('essays', 'collect_count', rows('collections', 'essay_id')),
  column('essays', 'cmt_count', rows('comments', 'essay_id', VISIBLE)),
  column('essays', 'share_count', rows('shares', 'essay_id', 'counted')),
  column('essays', 'reward_count', rows('rewards', 'essay_id')),
  column('users', 'essay_count', rows('essays', 'author_id', ON_SHELF)),
  column('users', 'read_count', 'select author_id as id, sum(read_count) as expected from essays group by 1'),
  column('users', 'like_count', 'select author_id as id, sum(like_count) as expected from essays group by 1'),
  column('users', 'follower_count', rows('follows', 'user_id')),
  column('users', 'following_count', rows('follows', 'follower_id')),
  column('folders', 'essay_count', rows('collections', 'folder_id')),
  column('columns', 'essay_count', rows('essays', 'column_id', `${ON_SHELF} and column_id is not null`)),
  column('columns', 'follower_count', rows('column_follows', 'column_id')),
  column('comments', 'like_count', rows('comment_likes', 'comment_id')),
  column('comments', 'reply_count', rows('comments', 'root_id', `${VISIBLE} and root_id is not null`)),
  [
    'comment_counts.count',
    'select essay_id as id, count as found from comment_counts',
    rows('comments', 'essay_id', `root_id is null and (${VISIBLE} or reply_count > 0)`),
  ],
  [
    'essay_counts.count',
    'select key as id, count as found from essay_counts',
    `select '' as id, count(*) as expected from essays where ${ON_SHELF}
      union all ${rows('essays', "replace(category_id::text, '-', '')", ON_SHELF)}`,
  ],
  ['tags.essay_count', 'select name as id, essay_count as found from tags', rows('essay_tags', 'tag')],
  column('notices', 'actors', rows('notice_actors', 'notice_id')),
  [
    'notice_counts.total',
    "select user_id || ' ' || kind as id, total as found from notice_counts",
    countNotices('count(*)'),
  ],
  [
    'notice_counts.unread',
    "select user_id || ' ' || kind as id, unread as found from notice_counts",
    countNotices(`count(*) filter (where ${isUnread})`),
  ],
  [
    'letter_places.unread',
    "select thread_id || ' ' || user_id as id, unread as found from letter_places",
    `select place.thread_id || ' ' || user_id as id, count(*) as expected
      from letter_places as place join letters on letters.thread_id = place.thread_id
      where from_id <> user_id and seq > greatest(read_seq, hidden_seq) group by 1`,
  ],
  column(
    'conversations',
    'last_seq',
    'select conversation_id as id, count(*) as expected from chat_messages group by 1',
  ),
  sumOfDays('likes', 'like_count'),
  sumOfDays('cmts', 'cmt_count'),
  sumOfDays('collects', 'collect_count'),
  sumOfDays('shares', 'share_count'),
  sumOfDays('rewards', 'reward_count'),
];

/** Counters whose rows are deleted after some days, so the remaining rows can only be fewer. */
const lowerBounds: Counter[] = [
  ['shares.read_count', 'select id, read_count as found from shares', rows('share_reads', 'share_id')],
  [
    'essays.read_count',
    'select id, read_count as found from essays',
    'select essay_id as id, sum(reads) as expected from essay_days group by 1',
  ],
];

const compare = ([, stored, counted]: Counter, differs: SQL): SQL => sql`
  select coalesce(stored.id::text, counted.id::text) as id, coalesce(expected, 0)::bigint as expected,
    coalesce(found, 0)::bigint as found
  from (${sql.raw(stored)}) as stored full join (${sql.raw(counted)}) as counted on counted.id = stored.id
  where ${differs} order by 1`;

const EXACT = sql`coalesce(found, 0) <> coalesce(expected, 0)`;
const AT_LEAST = sql`coalesce(found, 0) < coalesce(expected, 0)`;

const differenceRow = z.object({ id: z.string(), expected: z.int(), found: z.int() });

/** Recounts all counters and returns the differences; each counter is compared in one query. */
export function checkCounters(ctx: Ctx): Promise<CounterDifference[]> {
  return inTransaction(ctx, async (ctx) => {
    // An operator waits for the result, however large the site is.
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    const differences: CounterDifference[] = [];
    for (const [list, differs] of [
      [counters, EXACT],
      [lowerBounds, AT_LEAST],
    ] as const) {
      for (const counter of list) {
        const result = await ctx.db.execute(compare(counter, differs));
        differences.push(
          ...parseRows(differenceRow, result).map((row) => ({
            ...row,
            counter: counter[0],
            id: row.id.replaceAll('-', ''),
          })),
        );
      }
    }
    return differences;
  });
}
