import { type Ctx, inTransaction, logChange } from '../ctx.ts';
import type { RowQueries } from './row-queries.ts';

interface LoggingOptions<Row> {
  /** The prefix of the row's id in the operation log. */
  noun: string;
  toLog: (row: Row) => unknown;
  /** For example invalidates pages. `before` is null for a new row, `after` for a deleted one. */
  onChange?: (ctx: Ctx, before: Row | null, after: Row | null) => void | Promise<void>;
}

/** Writes single rows on behalf of staff, in one transaction with the entry of the operation log. */
export function loggedRows<Row extends NewRow & { id: string }, NewRow>(
  rows: Pick<RowQueries<Row, NewRow>, 'lock' | 'insert' | 'update' | 'remove'>,
  { noun, toLog, onChange }: LoggingOptions<Row>,
) {
  async function log(ctx: Ctx, id: string, before: Row | null, after: Row | null): Promise<void> {
    await onChange?.(ctx, before, after);
    logChange(ctx, `${noun}:${id}`, before && toLog(before), after && toLog(after));
  }

  return {
    create: (ctx: Ctx, build: (ctx: Ctx) => Row | Promise<Row>): Promise<Row> =>
      inTransaction(ctx, async (ctx) => {
        const row = await build(ctx);
        await rows.insert(ctx.db, row);
        await log(ctx, row.id, null, row);
        return row;
      }),
    update: (ctx: Ctx, id: string, change: (before: Row, ctx: Ctx) => Row | Promise<Row>): Promise<Row> =>
      inTransaction(ctx, async (ctx) => {
        const before = await rows.lock(ctx.db, id);
        const after = await change(before, ctx);
        await rows.update(ctx.db, id, after);
        await log(ctx, id, before, after);
        return after;
      }),
    remove: (ctx: Ctx, id: string): Promise<void> =>
      inTransaction(ctx, async (ctx) => {
        const before = await rows.lock(ctx.db, id);
        await rows.remove(ctx.db, id);
        await log(ctx, id, before, null);
      }),
  };
}
