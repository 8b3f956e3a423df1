import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { sqlText } from '../../../../db/rows.ts';
import { essays, essayTexts } from '../tables.ts';

/** An excerpt comes from the beginning of a very long text. */
const LONGEST = 20_000;

/** The words that everyone may read of essays on the shelf, to show where something was found. */
export async function listOpenTexts(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: essays.id, text: sqlText`left(${essayTexts.text}, ${LONGEST})` })
    .from(essays)
    .innerJoin(
      essayTexts,
      and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion)),
    )
    .where(
      sql`${essays.id} = any(${sql.param(ids)}::uuid[]) and ${essays.status} = ${literal(ESSAY_STATUS.onShelf)}`,
    );
  return new Map(rows.map((row) => [row.id, row.text]));
}
