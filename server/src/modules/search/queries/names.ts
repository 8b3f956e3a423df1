import { and, eq, notInArray, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { searchNames } from '../tables.ts';

export type NameKind = 'user' | 'tag';
export type NameForm = typeof searchNames.$inferInsert;

/** In one order, so that two who write the same name do not wait for each other. */
export async function replaceForms(db: Db, kind: NameKind, id: string, forms: NameForm[]): Promise<void> {
  const sorted = forms.toSorted((a, b) => (a.form < b.form ? -1 : 1));
  if (sorted.length > 0) {
    await db
      .insert(searchNames)
      .values(sorted)
      .onConflictDoUpdate({
        target: [searchNames.kind, searchNames.id, searchNames.form],
        set: {
          name: sql`excluded.name`,
          isWhole: sql`excluded.is_whole`,
          weight: sql`excluded.weight`,
        },
      });
  }
  await db.delete(searchNames).where(
    and(
      eq(searchNames.kind, kind),
      eq(searchNames.id, id),
      notInArray(
        searchNames.form,
        sorted.map((each) => each.form),
      ),
    ),
  );
}

export async function removeForms(db: Db, kind: NameKind, id: string): Promise<void> {
  await db.delete(searchNames).where(and(eq(searchNames.kind, kind), eq(searchNames.id, id)));
}

/** The very name first, then what begins so, then what has a later part that does; the heavier before the lighter. */
export async function listNames(
  db: Db,
  query: { kind: NameKind; form: string; beginning: string; limit: number },
): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select id, name from ${searchNames}
    where kind = ${query.kind} and form like ${query.beginning}
    group by id, name
    order by bool_or(form = ${query.form} and is_whole) desc, bool_or(is_whole) desc, max(weight) desc, id
    limit ${query.limit}`);
  return rows;
}
