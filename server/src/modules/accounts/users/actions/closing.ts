import { IDENTITY } from '@mozhan/contract/enums.ts';
import { type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import { removeMailsTo } from '../../../platform/mail-sms/index.ts';
import { lockAccount, updateAccount } from '../queries/accounts.ts';
import { purgeFollowCounts, removeAllFollowsOf } from '../queries/follows.ts';
import { purgeNotices } from '../queries/notices.ts';
import { updateUser } from '../queries/users.ts';
import { hashPassword, newPassword } from '../secrets.ts';
import { indexWriterName } from './names.ts';
import { revokeAccess } from './tokens.ts';

export async function scheduleClosing(ctx: Ctx, userId: string, closesAt: Date): Promise<string | null> {
  const { email } = await lockAccount(ctx.db, userId);
  await updateAccount(ctx.db, userId, { closingAt: closesAt });
  await revokeAccess(ctx, userId);
  return email;
}

/** Disables the account; returns false when the closing was cancelled or not due. */
export const beginClosing = (ctx: Ctx, userId: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const { closingAt } = await lockAccount(ctx.db, userId);
    if (closingAt === null || closingAt > ctx.now) return false;
    await updateAccount(ctx.db, userId, { enabled: false });
    await revokeAccess(ctx, userId);
    return true;
  });

/** Keeps an anonymous row, which other rows reference; the account name becomes free again. */
export async function eraseAccount(ctx: Ctx, userId: string): Promise<void> {
  const passwordHash = await hashPassword(ctx, newPassword());
  await inTransaction(ctx, async (ctx) => {
    const { email } = await lockAccount(ctx.db, userId);
    if (email !== null) await removeMailsTo(ctx.db, email);
    await purgeFollowCounts(ctx.db, [userId]);
    await removeAllFollowsOf(ctx.db, userId);
    await purgeNotices(ctx.db, [userId]);
    await updateAccount(ctx.db, userId, {
      name: `closed-${userId}`,
      email: null,
      phone: null,
      emailVerified: false,
      emailBounce: null,
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
    await indexWriterName(ctx, userId);
    invalidate(ctx, `user:${userId}`);
  });
}
