import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type User, users } from '../tables.ts';

/** Who registered with a user's code, newest first. */
export function listInvitees(db: Db, query: PageQuery & { userId: string }): Promise<Page<User>> {
  const mine = eq(users.invitedBy, query.userId);
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(users)
        .where(and(mine, after === null ? undefined : lt(users.id, after.at(-1) ?? '')))
        .orderBy(desc(users.id))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(users, mine),
    key: (user) => [user.id],
  });
}
