import { and, desc, eq, lt } from 'drizzle-orm';
import type { Page } from '#contract/common.ts';
import type { Db } from '../../db/client.ts';
import { type PageQuery, readPage } from '../../db/page.ts';
import { operations } from '../log/tables.ts';
import { type User, users } from '../users/tables.ts';

export interface OperationRow {
  operation: typeof operations.$inferSelect;
  user: User | null;
}

export function listOperations(
  db: Db,
  query: PageQuery & { userId?: string | undefined; call?: string | undefined },
): Promise<Page<OperationRow>> {
  const match = and(
    query.userId === undefined ? undefined : eq(operations.userId, query.userId),
    query.call === undefined ? undefined : eq(operations.call, query.call),
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({ operation: operations, user: users })
        .from(operations)
        .leftJoin(users, eq(users.id, operations.userId))
        .where(and(match, after === null ? undefined : lt(operations.id, after.at(-1) ?? '')))
        .orderBy(desc(operations.id))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(operations, match),
    key: (row) => [row.operation.id],
  });
}
