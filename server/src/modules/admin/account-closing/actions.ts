import { CLOSING_PERIOD_DAYS, RECENT_SIGN_IN_MINUTES } from '@mozhan/contract/account-closing.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../ctx.ts';
import { formatChinaTime } from '../../../day.ts';
import { deleteStoredResponses } from '../../../idempotency.ts';
import { addJob } from '../../../jobs.ts';
import { beginClosing, eraseAccount, hasReauth, scheduleClosing } from '../../accounts/users/index.ts';
import { sumPendingWithdrawals } from '../../payments/wallet/index.ts';
import { findBalances } from '../../platform/ledger/index.ts';
import { canSendMail, type MailContent, sendMail } from '../../platform/mail-sms/index.ts';

import * as queries from './queries.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const scheduleClosingJob = (ctx: Ctx, userId: string, runAt: Date): Promise<void> =>
  addJob(ctx, 'close-account', { userId }, { key: `close-account ${userId}`, runAt });

/** Somebody who only borrowed the device must not be able to close the account. */
async function requireRecentSignIn(ctx: Ctx, viewer: Viewer): Promise<void> {
  if (!(await hasReauth(ctx, viewer)))
    throw new CallError('FORBIDDEN', { message: `请重新登录，并在 ${RECENT_SIGN_IN_MINUTES} 分钟内注销` });
}

/** The user must confirm that the money in the wallet is lost. */
async function requireEmptyWallet(ctx: Ctx, userId: string, isWaived: boolean): Promise<void> {
  if ((await sumPendingWithdrawals(ctx.db, userId)) > 0)
    throw invalidField('waive', '还有提现没有办完，请等它到账后再注销');
  const { balance, earnings } = await findBalances(ctx.db, userId);
  if (isWaived || (balance <= 0 && earnings <= 0)) return;
  throw invalidField(
    'waive',
    `钱包里还有余额 ${formatYuan(balance)}、收益 ${formatYuan(earnings)}，请先用完或提现，或者确认放弃`,
  );
}

/** The account is closed after some days; signing in before that cancels the request. */
export async function requestClosing(ctx: Ctx, viewer: Viewer, isWaived: boolean): Promise<Date> {
  if (await queries.hasRole(ctx.db, viewer.id))
    throw new CallError('FORBIDDEN', { message: '你还有后台的角色，请先让管理员收回，再注销账号' });
  await requireRecentSignIn(ctx, viewer);
  await requireEmptyWallet(ctx, viewer.id, isWaived);
  const closesAt = new Date(ctx.now.getTime() + CLOSING_PERIOD_DAYS * DAY);
  await inTransaction(ctx, async (ctx) => {
    const email = await scheduleClosing(ctx, viewer.id, closesAt);
    await scheduleClosingJob(ctx, viewer.id, closesAt);
    if (email !== null && canSendMail(ctx))
      await sendMail(ctx, { kind: 'closing', to: email, ...toClosingMail(viewer.displayName, closesAt) });
  });
  ctx.reply.token = '';
  return closesAt;
}

export const toClosingMail = (name: string, closesAt: Date): MailContent => ({
  subject: '账号将被注销',
  blocks: [
    `${name}：`,
    `有人用你的账号申请了注销，它将在 ${formatChinaTime(closesAt)} 生效，之后不能恢复。`,
    '如果不是你本人，或者改了主意，在那之前登录一次，申请就会撤销；不是本人时请随即修改密码。',
  ],
});

const toAuthorViewer = (id: string): Viewer => ({
  id,
  sessionId: '',
  account: '',
  displayName: '',
  curIdentity: IDENTITY.writer,
  isStaff: false,
  isSuper: false,
  permissions: [],
  mustChangePassword: false,
});

/** Each step is atomic; an interrupted run is repeated and continues with the remaining steps. */
export async function closeAccount(ctx: Ctx, userId: string): Promise<void> {
  // A role or withdrawal that was added meanwhile must be resolved first.
  if ((await queries.hasRole(ctx.db, userId)) || (await sumPendingWithdrawals(ctx.db, userId)) > 0)
    return scheduleClosingJob(ctx, userId, new Date(ctx.now.getTime() + DAY));
  if (!(await beginClosing(ctx, userId))) return;
  const user = toAuthorViewer(userId);
  await ctx.services.eraseUser({ ...ctx, viewer: user }, user);
  await deleteStoredResponses(ctx, userId);
  await eraseAccount(ctx, userId);
}
