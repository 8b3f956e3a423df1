import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { sqlAs } from '../../../../db/rows.ts';
import { essays } from '../../../content/essays/tables.ts';
import { pages } from '../../../content/site/tables.ts';
import { importedSources, type SourceRow } from '../tables.ts';

const sqlTextOrNull = sqlAs(z.string().nullable());

export interface FoundSource extends SourceRow {
  /** Of the page, or of the essay if it has one. */
  slug: string | null;
}

/** Essays that were deleted here do not count. */
const EXISTS: SQL | undefined = or(sql`${pages.id} is not null`, isNull(essays.deletedAt));

/** The essays and pages that earlier imports brought. */
export const listSources = (db: Db, hashes: readonly string[]): Promise<FoundSource[]> =>
  db
    .select({
      sourceHash: importedSources.sourceHash,
      essayId: importedSources.essayId,
      pageId: importedSources.pageId,
      transferId: importedSources.transferId,
      contentHash: importedSources.contentHash,
      version: importedSources.version,
      slug: sqlTextOrNull`coalesce(${pages.slug}, ${essays.slug})`,
    })
    .from(importedSources)
    .leftJoin(essays, eq(essays.id, importedSources.essayId))
    .leftJoin(pages, eq(pages.id, importedSources.pageId))
    .where(and(sql`${importedSources.sourceHash} = any(${sql.param(hashes)}::text[])`, EXISTS));

export async function upsertSource(db: Db, row: SourceRow): Promise<void> {
  await db
    .insert(importedSources)
    .values(row)
    .onConflictDoUpdate({ target: importedSources.sourceHash, set: row });
}

export async function findSourceOf(
  db: Db,
  { essayId, pageId }: Pick<SourceRow, 'essayId' | 'pageId'>,
): Promise<SourceRow | null> {
  const [row] = await db
    .select()
    .from(importedSources)
    .where(
      essayId === null ? eq(importedSources.pageId, pageId ?? '') : eq(importedSources.essayId, essayId),
    );
  return row ?? null;
}

/** For an essay that is erased, whose row stays. */
export async function removeSourcesOfEssay(db: Db, essayId: string): Promise<void> {
  await db.delete(importedSources).where(eq(importedSources.essayId, essayId));
}
