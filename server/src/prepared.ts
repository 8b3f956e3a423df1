import type { Ctx } from './ctx.ts';

/** The second part of an action, which may run inside a transaction; the slow part ran before it. */
export type Prepared<T> = (ctx: Ctx) => Promise<T>;

/** Runs both parts of an action, one after the other. */
export const whole =
  <A extends unknown[], T>(prepare: (ctx: Ctx, ...rest: A) => Promise<Prepared<T>>) =>
  async (ctx: Ctx, ...rest: A): Promise<T> =>
    (await prepare(ctx, ...rest))(ctx);
