import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { startsWith } from '../../../../db/keyword.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRows, sqlAs, sqlText } from '../../../../db/rows.ts';
import { searchNames, searchTermLists } from '../tables.ts';

/** `user`: writers, found by search; `person`: all users, for mentions in comments. */
export type NameKind = 'user' | 'person' | 'tag' | 'column';
export type NameForm = Omit<typeof searchNames.$inferInsert, 'kind'>;

/** Replaces all forms of these ids, in a fixed order to prevent deadlocks. */
export async function replaceForms(db: Db, kind: NameKind, ids: string[], forms: NameForm[]): Promise<void> {
  const sorted = forms.toSorted((a, b) => (a.id + a.form < b.id + b.form ? -1 : 1));
  const column = <Key extends keyof NameForm>(key: Key) => sql.param(sorted.map((each) => each[key]));
  await db.execute(sql`
    insert into ${searchNames} (kind, id, form, name, is_whole, weight)
    select ${kind}, * from unnest(${column('id')}::uuid[], ${column('form')}::text[], ${column('name')}::text[],
      ${column('isWhole')}::boolean[], ${column('weight')}::real[])
    on conflict (kind, id, form) do update
      set name = excluded.name, is_whole = excluded.is_whole, weight = excluded.weight`);
  await db.execute(sql`
    delete from ${searchNames} where kind = ${kind} and id = any(${sql.param(ids)}::uuid[])
      and (id, form) not in (select * from unnest(${column('id')}::uuid[], ${column('form')}::text[]))`);
}

export async function removeForms(db: Db, kind: NameKind, id: string): Promise<void> {
  await db.delete(searchNames).where(and(eq(searchNames.kind, kind), eq(searchNames.id, id)));
}

/** Limits the compared forms, because very many names begin with the same letter. */
const MAX_FORMS = 2000;

const nameRow = z.object({ id: z.string(), name: z.string() });

/** Order: exact name, prefix of the name, prefix of a later part; each by weight. */
export async function listNames(
  db: Db,
  query: { kind: NameKind; form: string; limit: number },
): Promise<{ id: string; name: string }[]> {
  const result = await db.execute(sql`
    select id, name from (
      select * from ${searchNames} where kind = ${query.kind} and ${startsWith(sql`form`, query.form)}
      order by form limit ${MAX_FORMS}) as found
    group by id, name
    order by bool_or(form = ${query.form} and is_whole) desc, bool_or(is_whole) desc, max(weight) desc, id
    limit ${query.limit}`);
  return parseRows(nameRow, result);
}

/** People with the same name or the same pinyin, of whom the most followed are chosen. */
const MAX_SAME_NAMES = 200;
const MAX_WHOLE_NAMES = 5;

/** What every search needs first: the version of the dictionary, and the names that the keyword is. */
export interface SearchStart {
  version: string;
  /** Of writers, tags and columns whose whole name has this form, the most important first. */
  names: string[];
}

/** One query for both, because a search waits for it. */
export function createSearchStartQuery(db: Db): (forms: string[]) => Promise<Map<string, SearchStart>> {
  const names = sql`
    select name from (
      select name, weight, id from ${searchNames}
      where kind in ('user', 'tag', 'column') and form = asked.form and is_whole limit ${literal(MAX_SAME_NAMES)}
    ) as same order by weight desc, id limit ${literal(MAX_WHOLE_NAMES)}`;
  const query = db
    .select({
      form: sqlText`asked.form`,
      version: sqlText`${searchTermLists.version}`,
      name: sqlAs(z.string().nullable())`found.name`,
    })
    .from(
      sql`unnest(${sql.placeholder('forms')}::text[]) as asked(form) cross join ${searchTermLists}
        left join lateral (${names}) as found on true`,
    )
    .prepare('search_start');
  return async (forms) => {
    const starts = new Map<string, SearchStart>();
    for (const { form, version, name } of await query.execute({ forms })) {
      const start = starts.get(form) ?? { version, names: [] };
      if (name !== null) start.names.push(name);
      starts.set(form, start);
    }
    return starts;
  };
}
