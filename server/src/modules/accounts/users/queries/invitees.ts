import type { Page } from '@mozhan/contract/common.ts';
import { eq } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { type User, users } from '../tables.ts';

export const listInvitees = (db: Db, query: PageQuery & { userId: string }): Promise<Page<User>> =>
  listPage(db, query, {
    select: db.select().from(users),
    match: eq(users.invitedBy, query.userId),
    id: users.id,
    key: ({ id }) => [id],
  });
