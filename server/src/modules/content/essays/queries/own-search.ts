import { or, type SQL, sql } from 'drizzle-orm';
import { users } from '../../../accounts/users/tables.ts';
import { searchEssays } from '../../../platform/search/tables.ts';
import { essays } from '../tables.ts';

/** A search in a user's own list reads only this many of the newest rows, which bounds its time. */
export const MAX_SEARCHED_ROWS = 5000;

/** Matches essays by a part of the title or of the author's name, or by all tokens of one of the lists. */
export function matchesEssay(phrase: string, tokenLists: number[][]): SQL | undefined {
  const folded = sql`strpos(entry.folded_title, ${phrase}) > 0`;
  const byTokens = tokenLists.map((tokens) => sql`entry.tokens @> ${`{${tokens.join()}}`}::int[]`);
  return or(
    sql`strpos(lower(${users.displayName}), lower(${phrase})) > 0`,
    sql`exists (select from ${searchEssays} entry where entry.id = ${essays.id}
      and (${sql.join([folded, ...byTokens], sql` or `)}))`,
  );
}
