import type { Ctx, Viewer } from '../../../ctx.ts';

export const HOUR_MS = 3_600_000;

export const hoursBefore = (time: Date, hours: number): Date => new Date(time.getTime() - hours * HOUR_MS);

export const hoursAfter = (time: Date, hours: number): Date => hoursBefore(time, -hours);

export interface Inhabitant {
  viewer: Viewer;
  region: string;
}

/** Those who live here, by account, what they have published so far, by the name of its text, and their columns. */
export interface World {
  people: Map<string, Inhabitant>;
  essays: Map<string, string>;
  columns: Map<string, string>;
}

/** Something that happened while the site grew up. */
export interface Deed {
  at: Date;
  run: (ctx: Ctx, world: World) => Promise<unknown>;
}

export function getPerson(world: World, account: string): Inhabitant {
  const person = world.people.get(account);
  if (person === undefined) throw new Error(`no demo person ${account}`);
  return person;
}

export function getEssayId(world: World, slug: string): string {
  const id = world.essays.get(slug);
  if (id === undefined) throw new Error(`no demo essay ${slug} by then`);
  return id;
}

export function getColumnId(world: World, name: string): string {
  const id = world.columns.get(name);
  if (id === undefined) throw new Error(`no demo column ${name} by then`);
  return id;
}

/** What somebody did. */
export const deedOf = (
  at: Date,
  account: string,
  run: (ctx: Ctx, viewer: Viewer, world: World) => Promise<unknown>,
): Deed => ({
  at,
  run: (ctx, world) => {
    const { viewer, region } = getPerson(world, account);
    return run({ ...ctx, viewer, asker: { ...ctx.asker, region } }, viewer, world);
  },
});

/** One after the other as it happened: lists go by the order in which things were written down. */
export async function relive(ctx: Ctx, world: World, deeds: Deed[]): Promise<void> {
  for (const { at, run } of deeds.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    await run({ ...ctx, now: at }, world);
  }
}
