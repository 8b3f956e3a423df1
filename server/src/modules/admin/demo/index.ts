import { IDENTITY } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { type Ctx, inTx, type Viewer } from '../../../ctx.ts';
import type { Db } from '../../../db/client.ts';
import { lockAccess } from '../../accounts/access/index.ts';
import { releaseTrends } from '../../accounts/activity/index.ts';
import {
  createPerson,
  hashPassword,
  indexPeople,
  listDemoUserIds,
  newPassword,
  removeUsers,
  requireSuper,
  updateUser,
} from '../../accounts/users/index.ts';
import { releaseComments } from '../../content/comments/index.ts';
import {
  listEssayIdsOf,
  releaseCollections,
  releaseLikes,
  removeEssaysOf,
} from '../../content/essays/index.ts';
import { releaseShares } from '../../content/shares/index.ts';
import { releaseChats, releaseLetters } from '../../messaging/chats/index.ts';
import { removeTermsOf } from '../../payments/members/index.ts';
import { releaseOrders, releaseRewards } from '../../payments/orders/index.ts';
import { removeWithdrawalsOf } from '../../payments/wallet/index.ts';
import { removeDemoMoney } from '../../platform/ledger/index.ts';
import { claim, isClaimed } from '../../platform/settings/index.ts';
import { listOwnFiles, storeImage } from '../../platform/uploads/index.ts';
import { releaseReports } from '../reports/index.ts';
import { recountDays } from '../stats/index.ts';
import { readers } from './community/readers.ts';
import { planEssays, publishEssays } from './essays.ts';
import { hoursBefore, type Inhabitant, relive } from './history.ts';
import { planMessages } from './messages.ts';
import { planMoney } from './money.ts';
import { type DemoPerson, people } from './people.ts';
import { planReading } from './reading.ts';
import { planSociety } from './society.ts';
import { listTalk, planReport, planTalk } from './talk.ts';

const CLAIM = 'demo';
/** They came one after the other, before the first essay. */
const LAST_CAME = 700;
const HOURS_BETWEEN = 29;

/** Drawn for these people; needed once in an installation's life. */
async function drawFaces(): Promise<Map<string, string>> {
  const [{ drawFace, portraits }, { portraitOf }] = await Promise.all([
    import('./faces.ts'),
    import('./community/faces.ts'),
  ]);
  return new Map([
    ...people.map(({ account }) => [account, drawFace(account, portraits[account])] as const),
    ...readers.map(({ account }) => [account, drawFace(account, portraitOf(account))] as const),
  ]);
}

/** Those who write also pass what was written. */
const toViewer = (id: string, { displayName, curIdentity }: DemoPerson): Viewer => ({
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

async function settlePeople(ctx: Ctx, passwordHash: string): Promise<Map<string, Inhabitant>> {
  const faces = await drawFaces();
  const everyone: DemoPerson[] = [...people, ...readers.map(({ farmer: _, ...person }) => person)];
  const settled = new Map<string, Inhabitant>();
  for (const [i, person] of everyone.entries()) {
    const came = hoursBefore(ctx.now, LAST_CAME + (everyone.length - i) * HOURS_BETWEEN);
    const id = await createPerson({ ...ctx, now: came }, { ...person, passwordHash, demo: true });
    settled.set(person.account, { viewer: toViewer(id, person), region: person.region });
  }
  for (const [account, { viewer }] of settled) {
    const content = Buffer.from(faces.get(account) ?? '');
    const face = await storeImage(ctx, viewer.id, { content, isDrawing: true });
    await updateUser(ctx.db, viewer.id, { headImg: face.thumbPath });
  }
  return settled;
}

export const isDemoFilled = (db: Db): Promise<boolean> => isClaimed(db, CLAIM);

/** The demo people and what they did, once for an installation; returns the password they share, or null when it was done before. */
export async function fillDemo(ctx: Ctx, begin: () => void = () => {}): Promise<string | null> {
  return inTx(ctx, async (ctx) => {
    // Whoever comes second waits for the first, however slow the machine is.
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    if (!(await claim(ctx.db, CLAIM, ctx.now))) return null;
    begin();
    const password = newPassword();
    const inhabitants = await settlePeople(ctx, await hashPassword(ctx, password));
    const accounts = [...inhabitants.keys()];
    const essays = await planEssays(ctx.now);
    const talk = await listTalk(ctx.now, essays);
    // Nobody listens yet: what happened is in the database, and told to no open page.
    const unheard = { ...ctx, effects: { tags: new Set<string>(), ...ctx.effects, afterCommit: [] } };
    await relive(unheard, { people: inhabitants, essays: new Map(), columns: new Map() }, [
      ...(await publishEssays(ctx, essays)),
      ...planSociety(ctx.now),
      ...planReading(ctx.now, essays, talk, accounts),
      ...planTalk(ctx.now, talk, essays, accounts),
      planReport(ctx.now, talk),
      ...(await planMessages(ctx.now)),
      ...(ctx.services.config.paySandbox ? planMoney(ctx.now, essays) : []),
    ]);
    await recountDays(ctx);
    return password;
  });
}

/** None of it was real: what others paid them, or got from them, goes too, and balances are what they were without it. */
async function removeMoney(ctx: Ctx, userIds: string[]): Promise<void> {
  await releaseRewards(ctx, userIds);
  await removeTermsOf(ctx.db, userIds);
  await removeWithdrawalsOf(ctx.db, userIds);
  await removeDemoMoney(ctx, { userIds, orderIds: await releaseOrders(ctx, userIds) });
}

/** Takes the demo people away with all that is theirs; they do not come back at the next start. */
export async function removeDemo(ctx: Ctx): Promise<number> {
  const { ids, files } = await inTx(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const ids = await listDemoUserIds(ctx.db);
    const files = await listOwnFiles(ctx.db, ids);
    await releaseTrends(ctx, [...ids, ...(await listEssayIdsOf(ctx.db, ids))]);
    await removeEssaysOf(ctx, ids);
    await releaseLikes(ctx, ids);
    await releaseCollections(ctx, ids);
    await releaseComments(ctx, ids);
    await releaseChats(ctx, ids);
    await releaseLetters(ctx, ids);
    await releaseShares(ctx, ids);
    await releaseReports(ctx, ids);
    await removeMoney(ctx, ids);
    await removeUsers(ctx.db, ids);
    await requireSuper(ctx);
    await recountDays(ctx);
    return { ids, files };
  });
  await Promise.all(files.map((path) => ctx.services.files.remove(path)));
  await indexPeople(ctx);
  return ids.length;
}
