import type { Job } from '@mozhan/contract/jobs.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { JobRow } from './queries/jobs.ts';
import type { OperationRow } from './queries/operations.ts';
import { redactError, redactPayload } from './rules/jobs.ts';

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

export const toJob = (row: JobRow): Job => ({
  id: String(row.id),
  name: row.name,
  state: row.state,
  payload: redactPayload(row.payload),
  attempts: row.attempts,
  maxAttempts: row.maxAttempts,
  lastError: row.lastError === null ? null : redactError(row.lastError),
  runAt: row.runAt.toISOString(),
  lockedAt: row.lockedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
