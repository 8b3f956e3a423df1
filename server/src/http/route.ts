import type { done, Page } from '@mozhan/contract/common.ts';
import type { Call } from '@mozhan/contract/define.ts';
import type { z } from 'zod';
import type { Ctx } from '../ctx.ts';
import { mapPage } from '../db/page.ts';
import { type Prepared, prepareThenRun } from '../prepared.ts';

export interface Binding<C extends Call = Call> {
  call: C;
  run: (ctx: Ctx, input: never) => Promise<unknown>;
  /** The slow part, which runs before a transaction is opened; returns the part to run inside it. */
  prepare?: (ctx: Ctx, input: never) => Promise<Prepared<unknown>>;
  /** For calls that handle repeats themselves, because they request other services, which must not happen in a transaction. */
  runOnce?: (ctx: Ctx, input: never, requestId: string | null) => Promise<unknown>;
  /** Responses for visitors are cached for some seconds or until one of their tags (`addPageTags`) is invalidated. */
  isCached?: boolean;
}

/** Binds a call of the contract to its handler; the contract declares input and output types. */
export function bind<C extends Call>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>) => Promise<z.input<C['output']>>,
): Binding<C> {
  return { call, run };
}

/** Binds a call whose responses for visitors are cached. */
export function bindCached<C extends Call & { access: 'anyone'; method: 'GET' }>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>) => Promise<z.input<C['output']>>,
): Binding<C> {
  if (call.limit !== undefined) throw new Error(`${call.path}: a cached call cannot have a rate limit`);
  return { call, run, isCached: true };
}

/** Binds a call that returns a page of rows, each converted by `toView`. */
export function bindPage<C extends Call, Row>(
  call: C,
  toView: (row: Row, now: Date) => PageItem<z.input<C['output']>>,
  list: (ctx: Ctx, input: z.output<C['input']>) => Promise<Page<Row>>,
): Binding<C> {
  return { call, run: async (ctx, input) => mapPage(await list(ctx, input), (row) => toView(row, ctx.now)) };
}

type PageItem<P> = P extends Page<infer Item> ? Item : never;

/** Binds a slow call. `prepare` runs again for a repeated request, so it must not change anything. */
export function bindPrepared<C extends Call>(
  call: C,
  prepare: (ctx: Ctx, input: z.output<C['input']>) => Promise<Prepared<z.input<C['output']>>>,
): Binding<C> {
  return { call, prepare, run: prepareThenRun(prepare) };
}

/** Binds a call that must not run inside a transaction and handles its `requestId` itself. */
export function bindOnce<C extends Call>(
  call: C,
  run: (ctx: Ctx, input: z.output<C['input']>, requestId: string | null) => Promise<z.input<C['output']>>,
): Binding<C> {
  return { call, run: (ctx, input) => run(ctx, input, null), runOnce: run };
}

const DONE = { done: true } as const;

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
