import type { z } from 'zod';
import type { Call } from '#contract/define.ts';
import type { Ctx } from '../ctx.ts';

export interface Binding<C extends Call = Call> {
  call: C;
  run: (ctx: Ctx, input: never) => Promise<unknown>;
}

/** Ties a call of the contract to what answers it; input and output types come from the declaration. */
export function bind<C extends Call>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>) => Promise<z.input<C['output']>>,
): Binding<C> {
  return { call, run };
}

/** The answer of a call that has nothing to say but that it worked. */
export const DONE = { done: true } as const;
