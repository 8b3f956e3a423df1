import { or, type SQL, sql } from 'drizzle-orm';
import { users } from '../../../accounts/users/tables.ts';
import { searchEssays } from '../../../platform/search/tables.ts';
import { essays } from '../tables.ts';

/** A search in a user's own list reads only this many of the newest rows, which bounds its time. */
export const MAX_SEARCHED_ROWS = 5000;

const matchesTokens = (phrase: string, tokenLists: number[][]): SQL => {
  const folded = sql`strpos(entry.folded_title, ${phrase}) > 0`;
  const byTokens = tokenLists.map((tokens) => sql`entry.tokens @> ${`{${tokens.join()}}`}::int[]`);
  return sql`exists (select from ${searchEssays} entry where entry.id = ${essays.id}
      and (${sql.join([folded, ...byTokens], sql` or `)}))`;
};

/** Drafts are not indexed, so they are found by title, summary and tags only. */
export const matchesOwnEssay = (phrase: string, tokenLists: number[][]): SQL | undefined =>
  or(
    sql`strpos(lower(${essays.title}), lower(${phrase})) > 0`,
    sql`strpos(lower(${essays.summary}), lower(${phrase})) > 0`,
    sql`strpos(lower(array_to_string(${essays.tags}, ' ')), lower(${phrase})) > 0`,
    matchesTokens(phrase, tokenLists),
  );

/** Matches essays by a part of the title or of the author's name, or by all tokens of one of the lists. */
export function matchesEssay(phrase: string, tokenLists: number[][]): SQL | undefined {
  return or(
    sql`strpos(lower(${users.displayName}), lower(${phrase})) > 0`,
    matchesTokens(phrase, tokenLists),
  );
}
