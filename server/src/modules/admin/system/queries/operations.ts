import { calls } from '@mozhan/contract/calls.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { type Call, isWrite } from '@mozhan/contract/define.ts';
import { and, eq, inArray, like, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type Days, madeWithin, sorted, timeOrder } from '../../../../db/sort.ts';
import { operations } from '../../../accounts/access/tables.ts';
import { type User, users } from '../../../accounts/users/tables.ts';

export interface OperationRow {
  operation: typeof operations.$inferSelect;
  user: User | null;
}

interface OperationFilter extends Days {
  userId?: string | undefined;
  call?: string | undefined;
  target?: string | undefined;
  keyword?: string | undefined;
}

/** What calls do is known without looking at a row. */
const callsNamed = (keyword: string): string[] =>
  calls.filter((call) => isWrite(call) && call.summary.includes(keyword)).map(nameOf);

const nameOf = ({ method, path }: Call): string => `${method} ${path}`;

const isFoundBy = (keyword: string) => {
  const beginning = `${keyword.replace(/[\\%_]/g, '\\$&')}%`;
  return or(
    inArray(operations.call, callsNamed(keyword)),
    like(operations.target, beginning),
    like(operations.address, beginning),
    eq(operations.requestId, keyword),
  );
};

export function listOperations(
  db: Db,
  query: PageQuery & OperationFilter & { isDescending: boolean },
): Promise<Page<OperationRow>> {
  const { userId, call, target, keyword, isDescending } = query;
  const match = and(
    userId === undefined ? undefined : eq(operations.userId, userId),
    call === undefined ? undefined : eq(operations.call, call),
    target === undefined ? undefined : eq(operations.target, target),
    keyword ? isFoundBy(keyword) : undefined,
    madeWithin(operations.createdAt, query),
  );
  const by = timeOrder(operations.createdAt, query);
  const { order, behind } = sorted({ by, id: operations.id, isDescending });
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({ operation: operations, user: users })
        .from(operations)
        .leftJoin(users, eq(users.id, operations.userId))
        .where(and(match, behind(after)))
        .orderBy(...order)
        .offset(offset)
        .limit(limit),
    total: () => db.$count(operations, match),
    key: ({ operation }) => [operation.createdAt.toISOString(), operation.id],
    parts: ['time'],
  });
}
