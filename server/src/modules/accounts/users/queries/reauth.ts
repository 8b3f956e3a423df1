import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { sessions } from '../tables.ts';

/** Returns null when the session is not re-authenticated. */
export async function findReauthUntil(db: Db, sessionId: string, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ until: sessions.reauthUntil })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.reauthUntil, now)));
  return row?.until ?? null;
}

/** Returns false when the session has ended. */
export async function updateReauthUntil(db: Db, sessionId: string, until: Date): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ reauthUntil: until })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id });
  return rows.length > 0;
}
