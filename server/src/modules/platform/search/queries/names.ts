import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows } from '../../../../db/rows.ts';
import { searchNames } from '../tables.ts';

/** `user`: writers, found by search; `person`: all users, for mentions in comments. */
export type NameKind = 'user' | 'person' | 'tag';
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
  query: { kind: NameKind; form: string; beginning: string; limit: number },
): Promise<{ id: string; name: string }[]> {
  const result = await db.execute(sql`
    select id, name from (
      select * from ${searchNames} where kind = ${query.kind} and form like ${query.beginning}
      order by form limit ${MAX_FORMS}) as found
    group by id, name
    order by bool_or(form = ${query.form} and is_whole) desc, bool_or(is_whole) desc, max(weight) desc, id
    limit ${query.limit}`);
  return parseRows(nameRow, result);
}
