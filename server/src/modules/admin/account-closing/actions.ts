import { CLOSING_DAYS, FRESH_MINUTES } from '@mozhan/contract/account-closing.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import { type Ctx, inTx, type Viewer } from '../../../ctx.ts';
import { removeRequestsOf } from '../../../idempotency.ts';
import { addJob } from '../../../jobs.ts';
import { beginClosing, eraseAccount, hasReauth, planClosing } from '../../accounts/users/index.ts';
import { sumWithdrawing } from '../../payments/wallet/index.ts';
import { findBalances } from '../../platform/ledger/index.ts';
import { canMail, sendMail } from '../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';

import * as queries from './queries.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const chinese = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

const planJob = (ctx: Ctx, userId: string, runAt: Date): Promise<void> =>
  addJob(ctx, 'close-account', { userId }, { key: `close-account ${userId}`, runAt });

/** A borrowed device closes nothing. */
async function requireFresh(ctx: Ctx, viewer: Viewer): Promise<void> {
  if (!(await hasReauth(ctx, viewer)))
    throw new CallError('FORBIDDEN', { message: `请重新登录，并在 ${FRESH_MINUTES} 分钟内注销` });
}

/** Nobody gives up money without knowing. */
async function requireEmpty(ctx: Ctx, userId: string, isWaived: boolean): Promise<void> {
  if ((await sumWithdrawing(ctx.db, userId)) > 0)
    throw invalid('waive', '还有提现没有办完，请等它到账后再注销');
  const { balance, earnings } = await findBalances(ctx.db, userId);
  if (isWaived || (balance <= 0 && earnings <= 0)) return;
  throw invalid(
    'waive',
    `钱包里还有余额 ${formatYuan(balance)}、收益 ${formatYuan(earnings)}，请先用完或提现，或者确认放弃`,
  );
}

/** In some days; until then signing in takes it back. */
export async function askToClose(ctx: Ctx, viewer: Viewer, isWaived: boolean): Promise<Date> {
  if (await queries.hasRole(ctx.db, viewer.id))
    throw new CallError('FORBIDDEN', { message: '你还有后台的角色，请先让管理员收回，再注销账号' });
  await requireFresh(ctx, viewer);
  await requireEmpty(ctx, viewer.id, isWaived);
  const closesAt = new Date(ctx.now.getTime() + CLOSING_DAYS * DAY);
  await inTx(ctx, async (ctx) => {
    const email = await planClosing(ctx, viewer.id, closesAt);
    await planJob(ctx, viewer.id, closesAt);
    if (email !== null && canMail(ctx)) await tell(ctx, email, viewer.displayName, closesAt);
  });
  ctx.reply.token = '';
  return closesAt;
}

async function tell(ctx: Ctx, to: string, name: string, closesAt: Date): Promise<void> {
  const { title } = await getSiteSettings(ctx);
  await sendMail(ctx, {
    to,
    subject: `${title}：账号将被注销`,
    text: `${name}：\n\n有人用你的账号申请了注销，它将在 ${chinese.format(closesAt)} 生效，之后不能恢复。\n\n如果不是你本人，或者改了主意，在那之前登录一次，申请就会撤销；不是本人时请随即修改密码。\n`,
  });
}

/** All that somebody does as the author of what they wrote. */
const asAuthor = (id: string): Viewer => ({
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

/** Step by step, each whole; broken off, it is begun again and finds the rest. */
export async function closeAccount(ctx: Ctx, userId: string): Promise<void> {
  // Given since: somebody has to settle it first.
  if ((await queries.hasRole(ctx.db, userId)) || (await sumWithdrawing(ctx.db, userId)) > 0)
    return planJob(ctx, userId, new Date(ctx.now.getTime() + DAY));
  if (!(await beginClosing(ctx, userId))) return;
  const user = asAuthor(userId);
  await ctx.services.erase({ ...ctx, viewer: user }, user);
  await removeRequestsOf(ctx, userId);
  await eraseAccount(ctx, userId);
}
