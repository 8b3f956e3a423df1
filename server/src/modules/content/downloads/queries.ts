import { and, eq, isNull, lt } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { sqlText } from '../../../db/rows.ts';
import { type User, users } from '../../accounts/users/tables.ts';
import { type Category, categories } from '../categories/tables.ts';
import { type ColumnRow, columns, type EssayRow, essayRevisions, essays } from '../essays/tables.ts';
import { essayDownloads } from './tables.ts';

/** Returns false if this reader was counted that day before. */
export async function insertDownload(
  db: Db,
  download: { day: string; essayId: string; reader: Buffer },
): Promise<boolean> {
  const rows = await db
    .insert(essayDownloads)
    .values(download)
    .onConflictDoNothing()
    .returning({ day: essayDownloads.day });
  return rows.length > 0;
}

export async function removeOldDownloads(db: Db, before: string): Promise<void> {
  await db.delete(essayDownloads).where(lt(essayDownloads.day, before));
}

/** Returns null for deleted essays. */
export async function findEssay(db: Db, id: string): Promise<EssayRow | null> {
  const [essay] = await db
    .select()
    .from(essays)
    .where(and(eq(essays.id, id), isNull(essays.deletedAt)));
  return essay ?? null;
}

export interface DownloadSource {
  essay: EssayRow;
  /** Empty if the summary was derived from the text. */
  ownSummary: string;
  content: string;
  author: User;
  category: Category | null;
  column: ColumnRow | null;
}

export async function findSource(db: Db, essayId: string, version: number): Promise<DownloadSource | null> {
  const [row] = await db
    .select({
      essay: essays,
      ownSummary: sqlText`${essayRevisions.fields}->>'summary'`,
      content: essayRevisions.content,
      author: users,
      category: categories,
      column: columns,
    })
    .from(essays)
    .innerJoin(
      essayRevisions,
      and(eq(essayRevisions.essayId, essays.id), eq(essayRevisions.version, version)),
    )
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .leftJoin(columns, eq(columns.id, essays.columnId))
    .where(eq(essays.id, essayId));
  return row ?? null;
}
