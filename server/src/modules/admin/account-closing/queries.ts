import { eq } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { accountRoles } from '../../accounts/access/tables.ts';

export async function hasRole(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ roleId: accountRoles.roleId })
    .from(accountRoles)
    .where(eq(accountRoles.userId, userId))
    .limit(1);
  return rows.length > 0;
}
