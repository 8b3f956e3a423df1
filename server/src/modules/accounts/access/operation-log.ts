import { sql } from 'drizzle-orm';
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

interface Operation {
  call: string;
  summary: string;
  input: unknown;
}

const toJson = (value: unknown): string | null =>
  value == null ? null : JSON.stringify(withoutSecrets(value));

/** One parameter per column, because a call may change hundreds of rows, and building a longer statement takes long. */
async function insertOperations(
  { db, viewer, requester, changes, now }: Ctx,
  { call, summary, input }: Operation,
): Promise<void> {
  const rows = changes.length > 0 ? changes : [{ target: null, before: null, after: null }];
  await db.execute(sql`
    insert into ${operations}
      (id, user_id, call, summary, target, address, request_id, input, before, after, created_at)
    select id, ${viewer?.id ?? null}::uuid, ${call}, ${summary}, target, ${requester.address}, ${requester.requestId},
      ${toJson(input) ?? '{}'}::jsonb, before, after, ${now.toISOString()}::timestamptz
    from unnest(
      ${sql.param(rows.map(() => newId()))}::uuid[],
      ${sql.param(rows.map(({ target }) => target))}::text[],
      ${sql.param(rows.map(({ before }) => toJson(before)))}::jsonb[],
      ${sql.param(rows.map(({ after }) => toJson(after)))}::jsonb[]
    ) as change (id, target, before, after)`);
}

/** Runs a staff write and records actor, address, input and changes in the same transaction. */
export function withOperationLog(
  ctx: Ctx,
  operation: Operation,
  run: (ctx: Ctx) => Promise<unknown>,
): Promise<unknown> {
  return inTransaction(ctx, async (outer) => {
    const ctx: Ctx = { ...outer, changes: [] };
    const result = await run(ctx);
    await insertOperations(ctx, operation);
    return result;
  });
}
