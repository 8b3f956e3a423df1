import { calls } from '@mozhan/contract/calls.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { type Call, isWrite } from '@mozhan/contract/define.ts';
import { and, eq, inArray, like, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { escapeLike, MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { operations } from '../../../accounts/access/tables.ts';
import { type User, users } from '../../../accounts/users/tables.ts';

export interface OperationRow {
  operation: typeof operations.$inferSelect;
  user: User | null;
}

interface OperationFilter extends DayBounds {
  userId?: string | undefined;
  call?: string | undefined;
  target?: string | undefined;
  keyword?: string | undefined;
}

/** The summary of a call comes from the contract, so no row is searched for it. */
const listCallsWithSummary = (keyword: string): string[] =>
  calls.filter((call) => isWrite(call) && call.summary.includes(keyword)).map(nameOf);

const nameOf = ({ method, path }: Call): string => `${method} ${path}`;

const matchesKeyword = (keyword: string) => {
  const prefixPattern = `${escapeLike(keyword)}%`;
  return or(
    inArray(operations.call, listCallsWithSummary(keyword)),
    like(operations.target, prefixPattern),
    like(operations.address, prefixPattern),
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
    keyword ? matchesKeyword(keyword) : undefined,
    createdWithin(operations.createdAt, query),
  );
  return listPage(db, query, {
    select: db
      .select({ operation: operations, user: users })
      .from(operations)
      .leftJoin(users, eq(users.id, operations.userId)),
    match,
    by: timeSortColumn(operations.createdAt, query),
    id: operations.id,
    isDescending,
    key: ({ operation }) => [operation.createdAt, operation.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
}
