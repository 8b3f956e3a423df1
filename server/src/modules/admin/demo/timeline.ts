import type { Ctx, Viewer } from '../../../ctx.ts';

export const HOUR_MS = 3_600_000;

export const hoursBefore = (time: Date, hours: number): Date => new Date(time.getTime() - hours * HOUR_MS);

export const hoursAfter = (time: Date, hours: number): Date => hoursBefore(time, -hours);

export interface DemoUser {
  viewer: Viewer;
  region: string;
}

/** The users by account, the ids of essays published so far by slug, and of columns by name. */
export interface DemoState {
  users: Map<string, DemoUser>;
  essays: Map<string, string>;
  columns: Map<string, string>;
}

export interface DemoAction {
  at: Date;
  run: (ctx: Ctx, state: DemoState) => Promise<unknown>;
}

export function getDemoUser(state: DemoState, account: string): DemoUser {
  const user = state.users.get(account);
  if (user === undefined) throw new Error(`no demo user ${account}`);
  return user;
}

export function getEssayId(state: DemoState, slug: string): string {
  const id = state.essays.get(slug);
  if (id === undefined) throw new Error(`the demo essay ${slug} is not published yet`);
  return id;
}

export function getColumnId(state: DemoState, name: string): string {
  const id = state.columns.get(name);
  if (id === undefined) throw new Error(`the demo column ${name} does not exist yet`);
  return id;
}

export const createAction = (
  at: Date,
  account: string,
  run: (ctx: Ctx, viewer: Viewer, state: DemoState) => Promise<unknown>,
): DemoAction => ({
  at,
  run: (ctx, state) => {
    const { viewer, region } = getDemoUser(state, account);
    return run({ ...ctx, viewer, requester: { ...ctx.requester, region } }, viewer, state);
  },
});

/** Runs the actions in order of time, because lists are sorted by the order of insertion. */
export async function runActions(ctx: Ctx, state: DemoState, actions: DemoAction[]): Promise<void> {
  for (const { at, run } of actions.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    await run({ ...ctx, now: at }, state);
  }
}
