import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows } from '../../../../db/rows.ts';
import { searchNames } from '../tables.ts';

/** `user`: writers, who are found by searches; `person`: everyone, who can be named in a comment. */
export type NameKind = 'user' | 'person' | 'tag';
export type NameForm = Omit<typeof searchNames.$inferInsert, 'kind'>;

/** Replaces all forms of these ids. In one order, so that two who write the same name do not wait for each other. */
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

/** So many spellings are compared at most: a single letter begins very many names. */
const MOST_FORMS = 2000;

const nameRow = z.object({ id: z.string(), name: z.string() });

/** The very name first, then what begins so, then what has a later part that does; the heavier before the lighter. */
export async function listNames(
  db: Db,
  query: { kind: NameKind; form: string; beginning: string; limit: number },
): Promise<{ id: string; name: string }[]> {
  const result = await db.execute(sql`
    select id, name from (
      select * from ${searchNames} where kind = ${query.kind} and form like ${query.beginning}
      order by form limit ${MOST_FORMS}) as found
    group by id, name
    order by bool_or(form = ${query.form} and is_whole) desc, bool_or(is_whole) desc, max(weight) desc, id
    limit ${query.limit}`);
  return parseRows(nameRow, result);
}
