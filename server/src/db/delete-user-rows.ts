import { eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';

export async function deleteUserRows(
  db: Db,
  userId: string,
  tables: readonly (PgTable & { userId: PgColumn })[],
): Promise<void> {
  for (const table of tables) await db.delete(table).where(eq(table.userId, userId));
}
