import { type Ctx, changed, inTx } from '../ctx.ts';
import type { PlainRows } from './plain-rows.ts';

interface Logging<Row> {
  /** What the operation log calls a row, before its id. */
  noun: string;
  toLog: (row: Row) => unknown;
  /** Drops cached pages, for one. There is nothing before a new row, and nothing after a removed one. */
  onChange?: (ctx: Ctx, before: Row | null, after: Row | null) => void | Promise<void>;
}

/** Writes of staff to single rows, each in one transaction with its entry in the operation log. */
export function loggedRows<Row extends NewRow & { id: string }, NewRow>(
  rows: Pick<PlainRows<Row, NewRow>, 'lock' | 'insert' | 'update' | 'remove'>,
  { noun, toLog, onChange }: Logging<Row>,
) {
  async function log(ctx: Ctx, id: string, before: Row | null, after: Row | null): Promise<void> {
    await onChange?.(ctx, before, after);
    changed(ctx, `${noun}:${id}`, before && toLog(before), after && toLog(after));
  }

  return {
    create: (ctx: Ctx, make: (ctx: Ctx) => Row | Promise<Row>): Promise<Row> =>
      inTx(ctx, async (ctx) => {
        const row = await make(ctx);
        await rows.insert(ctx.db, row);
        await log(ctx, row.id, null, row);
        return row;
      }),
    update: (ctx: Ctx, id: string, change: (before: Row, ctx: Ctx) => Row | Promise<Row>): Promise<Row> =>
      inTx(ctx, async (ctx) => {
        const before = await rows.lock(ctx.db, id);
        const after = await change(before, ctx);
        await rows.update(ctx.db, id, after);
        await log(ctx, id, before, after);
        return after;
      }),
    remove: (ctx: Ctx, id: string): Promise<void> =>
      inTx(ctx, async (ctx) => {
        const before = await rows.lock(ctx.db, id);
        await rows.remove(ctx.db, id);
        await log(ctx, id, before, null);
      }),
  };
}
