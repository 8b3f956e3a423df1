import type { Ctx } from './ctx.ts';

/** The rest of something, which may run inside a transaction. */
export type Prepared<T> = (ctx: Ctx) => Promise<T>;

/** All of it in one go. */
export const whole =
  <A extends unknown[], T>(prepare: (ctx: Ctx, ...rest: A) => Promise<Prepared<T>>) =>
  async (ctx: Ctx, ...rest: A): Promise<T> =>
    (await prepare(ctx, ...rest))(ctx);
