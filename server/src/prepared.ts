import type { Ctx } from './ctx.ts';

/** The second part of an action, for use inside a transaction; the slow first part runs before it. */
export type Prepared<T> = (ctx: Ctx) => Promise<T>;

/** Combines both parts of an action into one function. */
export const prepareThenRun =
  <A extends unknown[], T>(prepare: (ctx: Ctx, ...rest: A) => Promise<Prepared<T>>) =>
  async (ctx: Ctx, ...rest: A): Promise<T> =>
    (await prepare(ctx, ...rest))(ctx);
