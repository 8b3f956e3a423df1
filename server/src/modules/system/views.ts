import { toUserCard } from '../users/index.ts';
import type { OperationRow } from './queries.ts';

export function toOperation({ operation, user }: OperationRow, now: Date) {
  return {
    id: operation.id,
    user: user === null ? null : toUserCard(user, now),
    call: operation.call,
    summary: operation.summary,
    target: operation.target,
    address: operation.address,
    requestId: operation.requestId,
    input: operation.input,
    before: operation.before,
    after: operation.after,
    createdAt: operation.createdAt.toISOString(),
  };
}
