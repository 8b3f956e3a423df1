import { eq } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { blocks, type User, users } from '../../../accounts/users/tables.ts';

export const userCardColumns = {
  id: users.id,
  displayName: users.displayName,
  headImg: users.headImg,
  title: users.title,
  curIdentity: users.curIdentity,
  memberUntil: users.memberUntil,
};
export type CardUser = Pick<User, keyof typeof userCardColumns>;

export async function listBlockedIds(db: Db, userId: string): Promise<Set<string>> {
  const rows = await db.select({ id: blocks.blockedId }).from(blocks).where(eq(blocks.userId, userId));
  return new Set(rows.map((row) => row.id));
}
