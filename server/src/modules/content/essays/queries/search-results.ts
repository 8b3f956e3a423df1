import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { sqlText } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { categories } from '../../categories/tables.ts';
import { essays, essayTexts } from '../tables.ts';
import { type CardRow, cardColumns } from './lists.ts';

/** Excerpts are taken from this many characters at most. */
const MAX_TEXT_LENGTH = literal(20_000);

/** `xmin` changes with every update of the row, so it tells whether a cached text is current. */
const rowVersion = sqlText`${essayTexts}.xmin::text`;
const matchesIds = sql`${essays.id} = any(${sql.placeholder('ids')}::uuid[]) and ${essays.status} = ${literal(ESSAY_STATUS.onShelf)}`;
const shelvedText = and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion));

/** A card with the version of its text row, null if it has no public text. */
export type SearchResultRow = CardRow & { rowVersion: string | null };

export function createSearchResultQuery(db: Db): (ids: string[]) => Promise<SearchResultRow[]> {
  const query = db
    .select({ ...cardColumns, rowVersion })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .leftJoin(essayTexts, shelvedText)
    .where(matchesIds)
    .prepare('found_essays');
  return (ids) => query.execute({ ids });
}

export function createPublicTextQuery(
  db: Db,
): (ids: string[]) => Promise<{ id: string; rowVersion: string; text: string }[]> {
  const query = db
    .select({ id: essays.id, rowVersion, text: sqlText`left(${essayTexts.text}, ${MAX_TEXT_LENGTH})` })
    .from(essays)
    .innerJoin(essayTexts, shelvedText)
    .where(matchesIds)
    .prepare('found_texts');
  return (ids) => query.execute({ ids });
}
