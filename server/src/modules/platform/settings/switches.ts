import { type Switches, switches as switchesSchema } from '@mozhan/contract/switches.ts';
import { eq, sql } from 'drizzle-orm';
import { afterCommit, type Ctx, inTransaction, invalidate, logChange } from '../../../ctx.ts';
import type { Db } from '../../../db/client.ts';
import { settings } from './tables.ts';

const KEY = 'switches';

export const defaultSwitches: Switches = {
  registration: 'open',
  inviteCode: '',
  comments: 'open',
  reviewedComments: 0,
  rewards: true,
  letters: true,
  chats: true,
  maintenance: false,
  maintenanceText: '',
};

const storedSwitches = switchesSchema.partial();
const mergeWithDefaults = (stored: unknown): Switches => ({
  ...defaultSwitches,
  ...storedSwitches.parse(stored ?? {}),
});

/** Every process calls this at its start and after a change; elsewhere use `ctx.services.switches`. */
export async function loadSwitches(db: Db): Promise<Switches> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, KEY));
  return mergeWithDefaults(row?.value);
}

/** Updates only the given switches, so that concurrent changes of others are kept. */
export function updateSwitches(ctx: Ctx, given: Partial<Switches>): Promise<Switches> {
  return inTransaction(ctx, async (ctx) => {
    const isSwitches = eq(settings.key, KEY);
    await ctx.db.insert(settings).values({ key: KEY, value: {}, updatedAt: ctx.now }).onConflictDoNothing();
    const [stored] = await ctx.db.select().from(settings).where(isSwitches).for('update');
    const before = mergeWithDefaults(stored?.value);
    await ctx.db
      .update(settings)
      .set({ value: sql`${settings.value} || ${JSON.stringify(given)}::jsonb`, updatedAt: ctx.now })
      .where(isSwitches);
    const after = { ...before, ...given };
    const changed = (Object.keys(given) as (keyof Switches)[]).filter((name) => before[name] !== after[name]);
    const pick = (all: Switches) => Object.fromEntries(changed.map((name) => [name, all[name]]));
    invalidate(ctx, SWITCHES_TAG);
    logChange(ctx, 'setting:switches', pick(before), pick(after));
    afterCommit(ctx, () => ctx.services.switches.set(after));
    return after;
  });
}

/** Tells all processes to load the switches again. */
export const SWITCHES_TAG = 'switches';
