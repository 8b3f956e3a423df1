import { createHash } from 'node:crypto';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Ctx, inTx } from './ctx.ts';
import { parseRows } from './db/rows.ts';

/** The caller's `requestId`, when there is one. */
export function requestIdOf(raw: Record<string, unknown>): string | null {
  const value = raw.requestId;
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > 64 || value.includes('\0')) {
    throw invalid('requestId', 'requestId 应是 1–64 个字符的文字');
  }
  return value;
}

const requestRow = z.object({
  content_hash: z.instanceof(Buffer),
  response: z.object({ data: z.unknown() }),
});

/**
 * Runs a write once for a user's `requestId`. The row is inserted before the work and in the same transaction: a
 * repeat that arrives meanwhile waits on it, finds the stored response when the first commits, and gets its turn
 * when the first fails.
 */
export function once(
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
  return inTx(ctx, async (ctx) => {
    // Older than a day: as if it had never been, even when the clean-up has not come by yet.
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

/** Forgets the stored responses of a user. */
export async function removeRequestsOf(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.execute(sql`delete from requests where user_id = ${userId}`);
}
