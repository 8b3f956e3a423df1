import { createHash } from 'node:crypto';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Ctx, inTransaction } from './ctx.ts';
import { parseRows } from './db/rows.ts';

export function requestIdOf(raw: Record<string, unknown>): string | null {
  const value = raw.requestId;
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > 64 || value.includes('\0')) {
    throw invalidField('requestId', 'requestId 应是 1–64 个字符的文字');
  }
  return value;
}

const requestRow = z.object({
  content_hash: z.instanceof(Buffer),
  response: z.object({ data: z.unknown() }),
});

/**
 * Runs a write once per user and `requestId`. The row is inserted before the work in the same transaction: a concurrent
 * repeat waits for it, returns the stored response if the first commits, and runs if the first fails.
 */
export function runIdempotent(
  ctx: Ctx,
  requestId: string,
  content: { call: string; input: unknown },
  run: (ctx: Ctx) => Promise<unknown>,
): Promise<unknown> {
  const userId = ctx.viewer?.id;
  if (userId === undefined) return run(ctx);
  const hash = createHash('sha256')
    .update(JSON.stringify([content.call, content.input]))
    .digest();
  return inTransaction(ctx, async (ctx) => {
    // An expired row is replaced, since the clean-up job may not have run yet.
    const inserted = await ctx.db.execute(sql`
      insert into requests as r (user_id, request_id, content_hash, created_at)
      values (${userId}, ${requestId}, ${hash}, ${ctx.now.toISOString()})
      on conflict (user_id, request_id) do update
      set content_hash = excluded.content_hash, created_at = excluded.created_at, response = null
      where r.created_at < ${new Date(ctx.now.getTime() - 86_400_000).toISOString()}
      returning 1`);
    if (inserted.rowCount === 0) {
      const found = await ctx.db.execute(sql`
        select content_hash, response from requests where user_id = ${userId} and request_id = ${requestId}`);
      const [first] = parseRows(requestRow, found);
      if (first === undefined) throw new CallError('UNAVAILABLE', { retryAfter: 1 });
      if (!first.content_hash.equals(hash)) throw new CallError('REQUEST_ID_REUSED');
      return first.response.data;
    }
    const data = await run(ctx);
    await ctx.db.execute(sql`
      update requests set response = ${JSON.stringify({ data })}::jsonb
      where user_id = ${userId} and request_id = ${requestId}`);
    return data;
  });
}

export async function deleteStoredResponses(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.execute(sql`delete from requests where user_id = ${userId}`);
}
