import { and, eq, ne, notInArray } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type EssayDrawingRow, essayDrawings } from '../tables.ts';

export const listDrawings = (db: Db, essayId: string, version: number): Promise<EssayDrawingRow[]> =>
  db
    .select()
    .from(essayDrawings)
    .where(and(eq(essayDrawings.essayId, essayId), eq(essayDrawings.version, version)));

export async function findDrawing(db: Db, id: string, theme: 'light' | 'dark'): Promise<string | null> {
  const [row] = await db
    .select({ svg: essayDrawings[theme] })
    .from(essayDrawings)
    .where(eq(essayDrawings.id, id));
  return row?.svg ?? null;
}

/** Rows that exist already are left as they are. */
export async function replaceDrawings(
  db: Db,
  { essayId, version }: { essayId: string; version: number },
  drawings: EssayDrawingRow[],
): Promise<void> {
  const ofVersion = and(eq(essayDrawings.essayId, essayId), eq(essayDrawings.version, version));
  const kept = drawings.map(({ id }) => id);
  await db
    .delete(essayDrawings)
    .where(kept.length === 0 ? ofVersion : and(ofVersion, notInArray(essayDrawings.id, kept)));
  if (drawings.length > 0)
    await db.insert(essayDrawings).values(drawings).onConflictDoNothing({ target: essayDrawings.id });
}

export async function removeOtherDrawings(db: Db, essayId: string, version: number): Promise<void> {
  await db
    .delete(essayDrawings)
    .where(and(eq(essayDrawings.essayId, essayId), ne(essayDrawings.version, version)));
}

export async function removeDrawings(db: Db, essayId: string): Promise<void> {
  await db.delete(essayDrawings).where(eq(essayDrawings.essayId, essayId));
}
