import { IDENTITY } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { type Ctx, inTransaction, type Viewer } from '../../../ctx.ts';
import type { Db } from '../../../db/client.ts';
import { createUser, hashPassword, newPassword, updateUser } from '../../accounts/users/index.ts';
import { claimOnce, isClaimed } from '../../platform/settings/index.ts';
import { storeImage } from '../../platform/uploads/index.ts';
import { recountDays } from '../stats/index.ts';
import { planBanners } from './banners.ts';
import { listComments, planComments, planReport } from './comments.ts';
import { readers } from './community/readers.ts';
import { planEssays, publishEssays } from './essays.ts';
import { planMessages } from './messages.ts';
import { planMoney } from './money.ts';
import { planReading } from './reading.ts';
import { planRelations } from './relations.ts';
import { type DemoUser, hoursBefore, runActions } from './timeline.ts';
import { mainUsers, type UserProfile } from './users.ts';

export { removeDemo } from './remove.ts';

const CLAIM = 'demo';
/** The users registered one after the other, before the first essay. */
const LAST_JOINED_HOURS_AGO = 700;
const HOURS_BETWEEN = 29;

/** Imported dynamically because the portraits are needed only once per installation. */
async function drawPortraits(): Promise<Map<string, string>> {
  const [{ drawPortrait, portraits }, { buildPortrait }] = await Promise.all([
    import('./portraits.ts'),
    import('./community/portraits.ts'),
  ]);
  return new Map([
    ...mainUsers.map(({ account }) => [account, drawPortrait(account, portraits[account])] as const),
    ...readers.map(({ account }) => [account, drawPortrait(account, buildPortrait(account))] as const),
  ]);
}

/** Writers have staff rights so that they can approve the essays. */
const toViewer = (id: string, { displayName, curIdentity }: UserProfile): Viewer => ({
  id,
  sessionId: '',
  account: '',
  displayName,
  curIdentity,
  isStaff: curIdentity === IDENTITY.writer,
  isSuper: curIdentity === IDENTITY.writer,
  permissions: [],
  mustChangePassword: false,
});

async function createDemoUsers(ctx: Ctx, passwordHash: string): Promise<Map<string, DemoUser>> {
  const portraitSvgs = await drawPortraits();
  const profiles: UserProfile[] = [...mainUsers, ...readers.map(({ farmer: _, ...profile }) => profile)];
  const users = new Map<string, DemoUser>();
  for (const [i, profile] of profiles.entries()) {
    const registeredAt = hoursBefore(ctx.now, LAST_JOINED_HOURS_AGO + (profiles.length - i) * HOURS_BETWEEN);
    const id = await createUser({ ...ctx, now: registeredAt }, { ...profile, passwordHash, demo: true });
    users.set(profile.account, { viewer: toViewer(id, profile), region: profile.region });
  }
  for (const [account, { viewer }] of users) {
    const content = Buffer.from(portraitSvgs.get(account) ?? '');
    const avatar = await storeImage(ctx, viewer.id, { content, isGenerated: true }, { ignoresQuota: true });
    await updateUser(ctx.db, viewer.id, { headImg: avatar.thumbPath });
  }
  return users;
}

export const isDemoCreated = (db: Db): Promise<boolean> => isClaimed(db, CLAIM);

/** Creates the demo once per installation; returns the shared password of its users, or null if it was created before. */
export async function createDemo(ctx: Ctx, onStart: () => void = () => {}): Promise<string | null> {
  return inTransaction(ctx, async (ctx) => {
    // A second process waits for the first one, however long it takes.
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    if (!(await claimOnce(ctx.db, CLAIM, ctx.now))) return null;
    onStart();
    const password = newPassword();
    const users = await createDemoUsers(ctx, await hashPassword(ctx, password));
    const accounts = [...users.keys()];
    const essays = await planEssays(ctx.now);
    const comments = await listComments(ctx.now, essays);
    // Discards live events, because no page is open yet.
    const withoutEvents = { ...ctx, effects: { tags: new Set<string>(), ...ctx.effects, afterCommit: [] } };
    await runActions(withoutEvents, { users, essays: new Map(), columns: new Map() }, [
      ...(await publishEssays(ctx, essays)),
      ...planBanners(ctx.now),
      ...planRelations(ctx.now),
      ...planReading(ctx.now, essays, comments, accounts),
      ...planComments(ctx.now, comments, essays, accounts),
      planReport(ctx.now, comments),
      ...(await planMessages(ctx.now)),
      ...(ctx.services.config.paySandbox ? planMoney(ctx.now, essays) : []),
    ]);
    await recountDays(ctx);
    return password;
  });
}
