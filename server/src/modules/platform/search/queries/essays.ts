import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { startsWith } from '../../../../db/keyword.ts';
import { idRow, parseRows, sqlInt, sqlText } from '../../../../db/rows.ts';
import type { Condition, TokenShares, TokenWeight } from '../rules/query-plan.ts';
import { searchEssays, searchHot, searchShares } from '../tables.ts';

export type SearchRow = typeof searchEssays.$inferInsert;

const intList = (numbers: number[]): string => `{${numbers.join()}}`;
const ints = (numbers: number[]): SQL => sql`${intList(numbers)}::int[]`;

export async function upsertEssay(db: Db, row: SearchRow): Promise<void> {
  const { id, ...fields } = row;
  await db.insert(searchEssays).values(row).onConflictDoUpdate({ target: searchEssays.id, set: fields });
  await db
    .update(searchHot)
    .set({ stat: row.stat, fresh: row.fresh, tokens: row.tokens })
    .where(eq(searchHot.id, id));
}

export async function removeEssay(db: Db, id: string): Promise<void> {
  await db.delete(searchEssays).where(eq(searchEssays.id, id));
  await db.delete(searchHot).where(eq(searchHot.id, id));
}

/** Skips locked rows, because the heat is updated again later. */
export async function updateStats(
  db: Db,
  heats: { id: string; hot: number }[],
  minChange: number,
): Promise<void> {
  const given = sql`unnest(${`{${heats.map((heat) => heat.id).join()}}`}::uuid[],
    ${`{${heats.map((heat) => Math.max(0, heat.hot)).join()}}`}::float8[]) as given(id, hot)`;
  const updated = await db.execute(sql`
    with changed as (
      select e.id, (e.fresh + ln(1 + given.hot) / 8)::real as stat
      from search_essays e join ${given} on given.id = e.id
      where abs(e.fresh + ln(1 + given.hot) / 8 - e.stat) > ${minChange}
      for update of e skip locked)
    update search_essays e set stat = changed.stat from changed where changed.id = e.id returning e.id`);
  const ids = parseRows(idRow, updated).map((row) => row.id);
  if (ids.length === 0) return;
  await db
    .update(searchHot)
    .set({ stat: sql`(select e.stat from search_essays e where e.id = ${searchHot.id})` })
    .where(inArray(searchHot.id, ids));
}

const shareRow = z.object({ essays: z.number(), token: z.int().nullable(), share: z.number().nullable() });

export async function findTokenShares(db: Db, tokens: number[]): Promise<TokenShares> {
  const result = await db.execute(sql`
    select c.reltuples as essays, s.token, s.share
    from pg_class c left join ${searchShares} s on s.token = any(${ints(tokens)})
    where c.oid = 'search_essays'::regclass`);
  const rows = parseRows(shareRow, result);
  return {
    essays: Math.max(0, rows[0]?.essays ?? 0),
    shares: new Map(
      rows.flatMap(({ token, share }) => (token === null || share === null ? [] : [[token, share]])),
    ),
  };
}

const tokenRow = z.object({ token: z.int() });

export async function listIndexedTokens(db: Db, tokens: number[]): Promise<number[]> {
  const result = await db.execute(sql`
    select token from unnest(${ints(tokens)}) as asked(token)
    where exists (select from search_essays e where e.tokens @> array[asked.token])`);
  return parseRows(tokenRow, result).map((row) => row.token);
}

const countRow = tokenRow.extend({ count: z.int() });

/** Counts the essays with each token; only for a small number of essays, because the index reads all matches. */
export async function countTokens(db: Db, tokens: number[]): Promise<Map<number, number>> {
  const result = await db.execute(sql`
    select token, (select count(*)::int from search_essays e where e.tokens @> array[asked.token]) as count
    from unnest(${ints(tokens)}) as asked(token)`);
  return new Map(parseRows(countRow, result).map(({ token, count }) => [token, count]));
}

const matches = ({ has, anyOf, minFresh }: Condition): SQL | undefined =>
  and(
    has.length > 0 ? sql`tokens @> ${ints(has)}` : undefined,
    ...anyOf.map((tokens) => sql`tokens && ${ints(tokens)}`),
    minFresh === null ? undefined : sql`fresh >= ${minFresh}::real`,
  );
const source = ({ isHot }: Condition): SQL => (isHot ? sql`search_hot` : sql`search_essays`);

export interface ScoredEssay {
  id: string;
  /** Number of matches of the last condition; in the hot copy at most its limit, because counting is slower than finding. */
  met: number;
}

interface ScoringQuery {
  conditions: Condition[];
  weights: TokenWeight[];
  phrase: string;
  fresh: number;
  /** The last condition includes all matches of the others. */
  isNested?: boolean;
  /** Essays with one of these tokens are what the query names, so they come first. */
  named?: number[];
}

/** The parameters of the prepared statement, named by the index of the condition. */
function toParameters({
  conditions,
  weights,
  phrase,
  fresh,
  named = [],
}: ScoringQuery): Record<string, unknown> {
  const values: Record<string, unknown> = {
    phrase,
    fresh,
    tokens: intList(weights.map((each) => each.token)),
    weights: `{${weights.map((each) => each.weight).join()}}`,
  };
  if (named.length > 0) values.named = intList(named);
  for (const [at, { has, anyOf, minFresh, limit }] of conditions.entries()) {
    values[`limit${at}`] = limit;
    if (minFresh !== null) values[`minFresh${at}`] = minFresh;
    if (has.length > 0) values[`has${at}`] = intList(has);
    for (const [index, tokens] of anyOf.entries()) values[`anyOf${at}_${index}`] = intList(tokens);
  }
  return values;
}

/** The key of the prepared statement, such as `nested a-1a+0`. */
const statementKeyOf = ({ conditions, isNested, named = [] }: ScoringQuery): string =>
  `${isNested ? 'nested' : 'scored'}${named.length > 0 ? ' named' : ''} ${conditions
    .map(
      ({ has, anyOf, minFresh, isHot }) =>
        `${isHot ? 'h' : 'a'}${has.length > 0 ? '+' : '-'}${anyOf.length}${minFresh === null ? '' : 's'}`,
    )
    .join('')}`;

/** More than any difference between full matches. */
const NAMED_FACTOR = 10;

const scoredQuery = (db: Db, { conditions, isNested, named = [] }: ScoringQuery, name: string) => {
  const highest = (condition: Condition, at: number, more = sql``, when = sql``): SQL => {
    const met = and(
      condition.has.length > 0 ? sql`tokens @> ${sql.placeholder(`has${at}`)}::int[]` : undefined,
      ...condition.anyOf.map((_, index) => sql`tokens && ${sql.placeholder(`anyOf${at}_${index}`)}::int[]`),
      condition.minFresh === null ? undefined : sql`fresh >= ${sql.placeholder(`minFresh${at}`)}::real`,
    );
    return sql`
      select id${more} from ${source(condition)} where ${met}${when}
      order by stat desc limit ${sql.placeholder(`limit${at}`)}`;
  };
  const others = conditions.slice(0, -1);
  const lasts = conditions.slice(-1);
  const isHot = lasts.some((last) => last.isHot);
  // Below its limit, the last condition already includes every match of the narrower ones.
  const limit = sql.placeholder(`limit${others.length}`);
  const whenMore = isNested && !isHot ? sql` and (select count(*) from met) >= ${limit}` : sql``;
  const count = isHot ? sql`, 0 as met` : sql`, count(*) over () as met`;
  // Only for a query that is a name, because comparing the arrays takes time.
  const byName =
    named.length > 0
      ? sql`* (case when tokens && ${sql.placeholder('named')}::int[] then ${sql.raw(String(NAMED_FACTOR))} else 1 end)`
      : sql``;
  const unions = others.map((each, at) => sql`union (${highest(each, at, sql``, whenMore)})`);
  // The slice `tokens[:]` makes a copy in memory, so that the array is detoasted once instead of once per word.
  const found = sql`(
    with met as materialized (${sql.join(lasts.map((last) => highest(last, others.length, count)))}),
    candidates as materialized (select id from met ${sql.join(unions, sql` `)}),
    opened as materialized (
      select e.id, e.stat, e.folded_title, e.tokens[:] as tokens, e.impacts
      from candidates join search_essays e using (id)),
    scored as materialized (
      select id, (1 + 0.3 * greatest(-1, stat - ${sql.placeholder('fresh')}::real))
        * (case when strpos(folded_title, ${sql.placeholder('phrase')}) > 0 then 1.5 else 1 end)
        ${byName}
        * (select sum(weight * get_byte(impacts, array_position(tokens, token) - 1))
           from unnest(${sql.placeholder('tokens')}::int[],
             ${sql.placeholder('weights')}::float8[]) as asked(token, weight)) as score
      from opened)
    select id, score, (select greatest(max(met), count(*))::int from met) as met
    from scored where score is not null) as found`;
  return db
    .select({ id: sqlText`id`, met: sqlInt`met` })
    .from(found)
    .orderBy(sql`score desc, id desc`)
    .prepare(name);
};

/** Each prepared statement takes memory on every connection, and those of long queries are rarely reused. */
const MAX_STATEMENTS = 30;
/** PostgreSQL truncates longer names. */
const MAX_NAME_LENGTH = 63;
const prepared = new WeakMap<Db, Map<string, ReturnType<typeof scoredQuery>>>();

function prepare(db: Db, scoring: ScoringQuery): ReturnType<typeof scoredQuery> {
  const shapes = prepared.get(db) ?? new Map<string, ReturnType<typeof scoredQuery>>();
  prepared.set(db, shapes);
  const shape = statementKeyOf(scoring);
  const known = shapes.get(shape);
  if (known !== undefined) return known;
  if (shapes.size >= MAX_STATEMENTS || shape.length > MAX_NAME_LENGTH) return scoredQuery(db, scoring, '');
  const query = scoredQuery(db, scoring, shape);
  shapes.set(shape, query);
  return query;
}

/** Scores the essays with the highest `stat` of each condition, the best first. */
export const listScoredEssays = async (db: Db, scoring: ScoringQuery): Promise<ScoredEssay[]> =>
  scoring.conditions.length === 0 ? [] : prepare(db, scoring).execute(toParameters(scoring));

export async function listMatchesByStat(
  db: Db,
  query: { condition: Condition; excludedIds: string[]; offset: number; limit: number },
): Promise<string[]> {
  const { condition, excludedIds, offset, limit } = query;
  const result = await db.execute(sql`
    select id from ${source(condition)}
    where ${matches(condition)} and id <> all(${`{${excludedIds.join()}}`}::uuid[])
    order by stat desc, id desc offset ${offset} limit ${limit}`);
  return parseRows(idRow, result).map((row) => row.id);
}

/** `hot`: by reads and reactions at any age. */
export type SortOrder = 'latest' | 'hot';

const orders: Record<SortOrder, SQL> = { latest: sql`fresh`, hot: sql`stat - fresh` };

export async function listSortedMatches(
  db: Db,
  query: { condition: Condition; sort: SortOrder; offset: number; limit: number },
): Promise<string[]> {
  const { condition, sort, offset, limit } = query;
  const result = await db.execute(sql`
    select id from ${source(condition)} where ${matches(condition)}
    order by ${orders[sort]} desc, id desc offset ${offset} limit ${limit}`);
  return parseRows(idRow, result).map((row) => row.id);
}

const titleRow = idRow.extend({ title: z.string() });

/** Of the first 200 titles with this prefix, returns those with the highest `stat`. */
export async function listTitlesByPrefix(
  db: Db,
  beginning: string,
  limit: number,
): Promise<{ id: string; title: string }[]> {
  const result = await db.execute(sql`
    select id, title from (
      select id, title, stat from search_essays where ${startsWith(sql`folded_title`, beginning)} limit 200) as found
    order by stat desc limit ${limit}`);
  return parseRows(titleRow, result);
}
