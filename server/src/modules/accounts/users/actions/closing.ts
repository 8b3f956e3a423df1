import { IDENTITY } from '@mozhan/contract/enums.ts';
import { type Ctx, inTx, touch } from '../../../../ctx.ts';
import { lockAccount, updateAccount } from '../queries/accounts.ts';
import { releaseFollows, removeFollowsOf } from '../queries/follows.ts';
import { releaseNotices } from '../queries/notices.ts';
import { updateUser } from '../queries/people.ts';
import { hashPassword, newPassword } from '../secrets.ts';
import { indexWriter } from './names.ts';
import { endAccess } from './tokens.ts';

/** Every device and program is signed out at once. */
export async function planClosing(ctx: Ctx, userId: string, closesAt: Date): Promise<string | null> {
  const { email } = await lockAccount(ctx.db, userId);
  await updateAccount(ctx.db, userId, { closingAt: closesAt });
  await endAccess(ctx, userId);
  return email;
}

/** From here on nobody signs in any more. False: taken back meanwhile, or done. */
export const beginClosing = (ctx: Ctx, userId: string): Promise<boolean> =>
  inTx(ctx, async (ctx) => {
    const { closingAt } = await lockAccount(ctx.db, userId);
    if (closingAt === null || closingAt > ctx.now) return false;
    await updateAccount(ctx.db, userId, { enabled: false });
    await endAccess(ctx, userId);
    return true;
  });

/** What is left is a row that others' things hang on, and a name for it; its account's name is free again. */
export async function eraseAccount(ctx: Ctx, userId: string): Promise<void> {
  const passwordHash = await hashPassword(ctx, newPassword());
  await inTx(ctx, async (ctx) => {
    await lockAccount(ctx.db, userId);
    await releaseFollows(ctx.db, [userId]);
    await removeFollowsOf(ctx.db, userId);
    await releaseNotices(ctx.db, [userId]);
    await updateAccount(ctx.db, userId, {
      name: `closed-${userId}`,
      email: null,
      phone: null,
      emailVerified: false,
      passwordHash,
      enabled: false,
      totpSecret: null,
      totpOn: false,
      closingAt: null,
    });
    await updateUser(ctx.db, userId, {
      displayName: '已注销的用户',
      headImg: '',
      title: '',
      bio: '',
      gender: 'unknown',
      city: '',
      company: '',
      position: '',
      homepage: '',
      github: '',
      region: '',
      curIdentity: IDENTITY.reader,
      notify: {},
      privacy: {},
      digest: false,
      followerCount: 0,
      followingCount: 0,
      closedAt: ctx.now,
      updatedAt: ctx.now,
    });
    await indexWriter(ctx, userId);
    touch(ctx, `user:${userId}`);
  });
}
