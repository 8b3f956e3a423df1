import { sql } from 'drizzle-orm';
import type { Db } from '../../db/client.ts';
import { accountRoles } from '../access/tables.ts';

export async function hasRole(db: Db, userId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`select 1 from ${accountRoles} where user_id = ${userId} limit 1`);
  return rowCount !== 0;
}

/** What only this person saw, or said of themselves. Orders, bookings and what was written to others stay. */
export async function removePersonal(db: Db, userId: string): Promise<void> {
  for (const table of [
    'folders',
    'essay_history',
    'trends',
    'requests',
    'farmers',
    'star_picks',
    'expert_applications',
    'notices',
    'notice_counts',
    'codes',
    'account_changes',
    'sign_in_networks',
  ])
    await db.execute(sql`delete from ${sql.identifier(table)} where user_id = ${userId}`);
  await db.execute(sql`delete from blocks where user_id = ${userId} or blocked_id = ${userId}`);
}
