import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { sessions } from '../tables.ts';

/** Until when the session counts as re-authenticated; null: it does not. */
export async function findReauth(db: Db, sessionId: string, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ until: sessions.reauthUntil })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.reauthUntil, now)));
  return row?.until ?? null;
}

/** False when the session has ended meanwhile. */
export async function updateReauth(db: Db, sessionId: string, until: Date): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ reauthUntil: until })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id });
  return rows.length > 0;
}
