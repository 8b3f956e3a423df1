import type { done, Page } from '@mozhan/contract/common.ts';
import type { Call } from '@mozhan/contract/define.ts';
import type { z } from 'zod';
import type { Ctx } from '../ctx.ts';
import { mapPage } from '../db/page.ts';
import { type Prepared, whole } from '../prepared.ts';

export interface Binding<C extends Call = Call> {
  call: C;
  run: (ctx: Ctx, input: never) => Promise<unknown>;
  /** The part of it that takes a while, before any transaction is open; answers with what is left to do. */
  prepare?: (ctx: Ctx, input: never) => Promise<Prepared<unknown>>;
  /** It knows a repeat by itself: what takes part in it, such as a payment provider, is not asked within a transaction. */
  runOnce?: (ctx: Ctx, input: never, requestId: string | null) => Promise<unknown>;
  /** Visitors are answered alike, for some seconds or until something that the answer shows (`shows`) changes. */
  isKept?: boolean;
}

/** Ties a call of the contract to what answers it; input and output types come from the declaration. */
export function bind<C extends Call>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>) => Promise<z.input<C['output']>>,
): Binding<C> {
  return { call, run };
}

/** The same for what is kept ready for visitors; the pages of the site are made of it. */
export function bindKept<C extends Call & { who: 'anyone'; method: 'GET' }>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>) => Promise<z.input<C['output']>>,
): Binding<C> {
  if (call.limit !== undefined) throw new Error(`${call.path}: what is kept is not counted`);
  return { call, run, isKept: true };
}

/** The same for a page of rows, each of which goes out through its view. */
export function bindPage<C extends Call, Row>(
  call: C,
  toView: (row: Row, now: Date) => PageItem<z.input<C['output']>>,
  list: (ctx: Ctx, input: z.output<C['input']>) => Promise<Page<Row>>,
): Binding<C> {
  return { call, run: async (ctx, input) => mapPage(await list(ctx, input), (row) => toView(row, ctx.now)) };
}

type PageItem<P> = P extends Page<infer Item> ? Item : never;

/** The same for what takes a while: it is prepared first, once more for a repeat, so preparing changes nothing. */
export function bindPrepared<C extends Call>(
  call: C,
  prepare: (ctx: Ctx, input: z.output<C['input']>) => Promise<Prepared<z.input<C['output']>>>,
): Binding<C> {
  return { call, prepare, run: whole(prepare) };
}

/** The same for what must not run inside a transaction and is done once for a `requestId` all the same. */
export function bindOnce<C extends Call>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>, requestId: string | null) => Promise<z.input<C['output']>>,
): Binding<C> {
  return { call, run: (ctx, input) => run(ctx, input, null), runOnce: run };
}

/** The answer of a call that has nothing to say but that it worked. */
const DONE = { done: true } as const;

/** The same for a call that answers just that. */
export function bindDone<C extends Call & { output: typeof done }>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>) => Promise<unknown>,
): Binding<C> {
  return {
    call,
    run: async (ctx, input) => {
      await run(ctx, input);
      return DONE;
    },
  };
}
