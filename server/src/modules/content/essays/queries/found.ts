import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { sqlText } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { categories } from '../../categories/tables.ts';
import { essays, essayTexts } from '../tables.ts';
import { type CardRow, card } from './lists.ts';

/** An excerpt comes from the beginning of a very long text. */
const LONGEST = literal(20_000);

/** Another one after every change of the row, so that a text that was read before can be used again. */
const stamp = sqlText`${essayTexts}.xmin::text`;
const wanted = sql`${essays.id} = any(${sql.placeholder('ids')}::uuid[]) and ${essays.status} = ${literal(ESSAY_STATUS.onShelf)}`;
const shelvedText = and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion));

/** What a search shows of an essay, and which text it has; null when there are no words that everyone may read. */
export type FoundRow = CardRow & { stamp: string | null };

/** Of essays on the shelf; the others are left out. */
export function createFoundQuery(db: Db): (ids: string[]) => Promise<FoundRow[]> {
  const query = db
    .select({ ...card, stamp })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .leftJoin(essayTexts, shelvedText)
    .where(wanted)
    .prepare('found_essays');
  return (ids) => query.execute({ ids });
}

/** The words that everyone may read of essays on the shelf, to show where something was found. */
export function createTextQuery(
  db: Db,
): (ids: string[]) => Promise<{ id: string; stamp: string; text: string }[]> {
  const query = db
    .select({ id: essays.id, stamp, text: sqlText`left(${essayTexts.text}, ${LONGEST})` })
    .from(essays)
    .innerJoin(essayTexts, shelvedText)
    .where(wanted)
    .prepare('found_texts');
  return (ids) => query.execute({ ids });
}
