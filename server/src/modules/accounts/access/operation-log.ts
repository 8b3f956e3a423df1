import { type Ctx, inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { operations } from './tables.ts';

const SECRET = /password|secret|token|totp|^code$/i;

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, SECRET.test(key) ? '***' : withoutSecrets(each)]),
  );
}

/** Runs a staff write and records actor, address, input and changes in the same transaction. */
export function withOperationLog(
  ctx: Ctx,
  operation: { call: string; summary: string; input: unknown },
  run: (ctx: Ctx) => Promise<unknown>,
): Promise<unknown> {
  return inTransaction(ctx, async (outer) => {
    const ctx: Ctx = { ...outer, changes: [] };
    const result = await run(ctx);
    const rows = ctx.changes.length > 0 ? ctx.changes : [{ target: null, before: null, after: null }];
    await ctx.db.insert(operations).values(
      rows.map((change) => ({
        id: newId(),
        userId: ctx.viewer?.id ?? null,
        call: operation.call,
        summary: operation.summary,
        target: change.target,
        address: ctx.requester.address,
        requestId: ctx.requester.requestId,
        input: withoutSecrets(operation.input),
        before: withoutSecrets(change.before),
        after: withoutSecrets(change.after),
        createdAt: ctx.now,
      })),
    );
    return result;
  });
}
