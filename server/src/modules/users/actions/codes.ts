import { z } from 'zod';
import { CallError } from '#contract/errors.ts';
import { type acceptCode as acceptCall, PHONE, type sendCode as sendCall } from '#contract/users.ts';
import { type Ctx, inTx, type Viewer } from '../../../ctx.ts';
import { addJob } from '../../../jobs.ts';
import { canMail, sendMail } from '../../mail/index.ts';
import { getSiteSettings } from '../../settings/index.ts';
import { canText, sendSms } from '../../sms/index.ts';
import * as queries from '../queries/accounts.ts';
import { addSmsAsk, findSmsAsks } from '../queries/sms-asks.ts';
import { CODE_GAP, CODE_LIFE, isTrustedAddress, tooManyAsks } from '../rules.ts';
import { codeDigest, newCode, sameBytes } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { recordChange, requireUnlocked } from './account-changes.ts';
import { requireChallenge } from './challenge.ts';
import { checkReauthTarget, requireReauth } from './require-reauth.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { checkTotp } from './sign-in.ts';

type Purpose = 'reset' | 'bind' | 'login' | 'reauth';
type Way = 'mail' | 'sms';

const subjects: Record<Purpose, string> = {
  reset: '重置密码',
  bind: '绑定邮箱',
  login: '登录',
  reauth: '验证身份',
};

const isPhone = (name: string): boolean => PHONE.test(name);
const kindOf = (target: string) => (isPhone(target) ? 'phone' : 'email');

/** To the number that was typed where that can be, else to the address of the account. */
export const wayTo = (ctx: Ctx, name: string): Way => (isPhone(name) && canText(ctx) ? 'sms' : 'mail');

/** What a code is good for: one sent to a number has shown nothing of the address, and the other way round. */
export const targetOf = ({ userId, phone }: Account, way: Way): string =>
  way === 'sms' ? `${userId} ${phone}` : userId;

/** Every ask for a number counts, whoever has it: the refusal tells nothing. */
async function countAsk(ctx: Ctx, phone: string): Promise<void> {
  if (await addSmsAsk(ctx.db, phone, ctx.now)) return;
  throw tooManyAsks(await findSmsAsks(ctx.db, phone), ctx.now);
}

async function isRecent(ctx: Ctx, purpose: Purpose, target: string): Promise<boolean> {
  const last = await queries.findCode(ctx.db, purpose, target);
  return last !== null && last.expiresAt.getTime() > ctx.now.getTime() + CODE_LIFE - CODE_GAP;
}

/** Sends a new code; by mail not when the last one is under a minute old. */
async function send(
  ctx: Ctx,
  purpose: Purpose,
  { target, userId, to }: { target: string; userId: string; to: string },
): Promise<void> {
  if (!isPhone(to) && (await isRecent(ctx, purpose, target))) return;
  const digits = newCode();
  const { title } = await getSiteSettings(ctx);
  await inTx(ctx, async (ctx) => {
    await queries.replaceCode(ctx.db, {
      purpose,
      target,
      userId,
      hash: codeDigest(ctx.services.secret, target, digits),
      expiresAt: new Date(ctx.now.getTime() + CODE_LIFE),
    });
    if (isPhone(to)) return sendSms(ctx, { to, code: digits });
    return sendMail(ctx, {
      to,
      subject: `${title}：${subjects[purpose]}验证码 ${digits}`,
      text: `你正在${title}${subjects[purpose]}，验证码是：\n\n${digits}\n\n10 分钟内有效，请不要告诉任何人。如果不是你本人操作，忽略这封邮件即可。\n`,
    });
  });
}

/** The attempt counts even when what follows fails; the code itself is used up by `spend`. */
export async function takeCode(ctx: Ctx, purpose: Purpose, target: string, code: string) {
  const row = await queries.takeAttempt(ctx.db, purpose, target, ctx.now);
  if (row === null || !sameBytes(row.hash, codeDigest(ctx.services.secret, target, code)))
    throw new CallError('WRONG_CODE');
  return {
    async spend(ctx: Ctx): Promise<void> {
      if (!(await queries.removeCode(ctx.db, purpose, target, row.hash))) throw new CallError('WRONG_CODE');
    },
  };
}

export const codeRequest = z.object({
  purpose: z.enum(['reset', 'login']),
  name: z.string(),
  way: z.enum(['mail', 'sms']).default('mail'),
});
type CodeRequest = z.output<typeof codeRequest>;

/** Looked up by a job: the answer takes as long whether there is such an account or not. */
export async function requestCode(
  ctx: Ctx,
  request: CodeRequest,
  challenge: string | undefined,
): Promise<void> {
  await requireChallenge(ctx, challenge);
  await inTx(ctx, async (ctx) => {
    if (request.way === 'sms') await countAsk(ctx, request.name);
    await addJob(ctx, 'mail-code', request);
  });
}

/** Sends a code to the owner of an account, if there is one who can have it. */
export async function sendRequestedCode(ctx: Ctx, { purpose, name, way }: CodeRequest): Promise<void> {
  const account = await queries.findAccountByName(ctx.db, name);
  if (account === null || !account.enabled) return;
  const to = way === 'mail' ? account.email : account.phone === name ? name : null;
  if (to === null) return;
  // Whoever registered with an address may not be its owner; a reset puts that right, a sign-in would not.
  if (way === 'mail' && purpose === 'login' && !account.emailVerified) return;
  const addedAt = way === 'mail' ? account.emailAddedAt : account.phoneAddedAt;
  if (purpose === 'reset' && !isTrustedAddress(addedAt, ctx.now))
    return way === 'mail' ? explainRefusal(ctx, to) : undefined;
  await send(ctx, purpose, { target: targetOf(account, way), userId: account.userId, to });
}

/** Whoever asked is told nothing; whoever reads the mail may be the owner, who wonders why no code comes. */
async function explainRefusal(ctx: Ctx, to: string): Promise<void> {
  const { title } = await getSiteSettings(ctx);
  await sendMail(ctx, {
    to,
    subject: `${title}：暂时不能用这个邮箱重置密码`,
    text: `有人请求用这个邮箱重置${title}的密码。为了防止账号被盗，绑定不满 24 小时的邮箱不能用来重置密码，请过后再试，或者用账号里原有的邮箱或手机号。\n\n如果不是你本人操作，忽略这封邮件即可。\n`,
  });
}

/** What a code is good for that somebody signed in has asked for: one address, one account. */
export const ownTarget = (userId: string, to: string): string => `${userId} ${to}`;

/** Who has it already. */
async function findOther(ctx: Ctx, viewer: Viewer, name: string): Promise<Account | null> {
  const owner = await queries.findAccountByName(ctx.db, name);
  return owner !== null && owner.userId !== viewer.id ? owner : null;
}

/** Sends a code to somebody signed in. */
export async function sendOwnCode(
  ctx: Ctx,
  viewer: Viewer,
  { purpose, to, challenge }: { purpose: 'bind' | 'reauth'; to: string; challenge: string | undefined },
): Promise<void> {
  const code = { target: ownTarget(viewer.id, to), userId: viewer.id, to };
  if (!isPhone(to)) return send(ctx, purpose, code);
  // Each costs money, and whoever gets it may not have asked for it.
  await requireChallenge(ctx, challenge);
  await inTx(ctx, async (ctx) => {
    await countAsk(ctx, to);
    await send(ctx, purpose, code);
  });
}

async function sendBindCode(
  ctx: Ctx,
  viewer: Viewer,
  to: string,
  challenge: string | undefined,
): Promise<void> {
  await requireReauth(ctx, viewer);
  await requireUnlocked(ctx, viewer.id, kindOf(to));
  if (!isPhone(to) && (await findOther(ctx, viewer, to)) !== null)
    throw new CallError('ACCOUNT_TAKEN', { message: '这个邮箱已被其他账号使用' });
  await sendOwnCode(ctx, viewer, { purpose: 'bind', to, challenge });
}

export async function sendCode(ctx: Ctx, input: z.output<typeof sendCall.input>): Promise<void> {
  const { purpose, target, challenge } = input;
  const way = isPhone(target) ? 'sms' : 'mail';
  if (way === 'sms' && !canText(ctx))
    throw new CallError('MAIL_NOT_CONFIGURED', { message: '本站没有配置短信服务，不能用手机号收验证码' });
  if (way === 'mail' && !canMail(ctx))
    throw new CallError('MAIL_NOT_CONFIGURED', { message: '本站没有配置邮件服务，不能用邮箱收验证码' });
  if (purpose === 'login') return requestCode(ctx, { purpose, name: target, way }, challenge);
  if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  if (purpose === 'reauth') {
    checkReauthTarget(ctx, await queries.getAccount(ctx.db, ctx.viewer.id), target);
    return sendOwnCode(ctx, ctx.viewer, { purpose, to: target, challenge });
  }
  return sendBindCode(ctx, ctx.viewer, target, challenge);
}

/** Codes that were sent to where the account could be reached before are worth nothing any more. */
async function changeAddress(ctx: Ctx, account: Account, target: string): Promise<void> {
  const isNew = target !== (isPhone(target) ? account.phone : account.email);
  const addedAt = isNew ? ctx.now : undefined;
  await queries.updateAccount(ctx.db, account.userId, {
    ...(isPhone(target)
      ? { phone: target, phoneAddedAt: addedAt }
      : { email: target, emailVerified: true, emailAddedAt: addedAt }),
    updatedAt: ctx.now,
  });
  await queries.removeCodes(ctx.db, account.userId, isPhone(target) ? 'sms' : 'mail');
  if (isNew) await recordChange(ctx, account, { kind: kindOf(target), value: target });
}

export async function acceptCode(ctx: Ctx, input: z.output<typeof acceptCall.input>) {
  const { target } = input;
  if (input.purpose === 'bind') {
    const { viewer } = ctx;
    if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
    await requireReauth(ctx, viewer);
    const code = await takeCode(ctx, 'bind', ownTarget(viewer.id, target), input.code);
    return inTx(ctx, async (ctx) => {
      const account = await queries.lockAccount(ctx.db, viewer.id);
      await requireReauth(ctx, viewer);
      await requireUnlocked(ctx, viewer.id, kindOf(target));
      await code.spend(ctx);
      // Only now, to whoever holds the phone. Names that look like numbers are older than phones here.
      if (isPhone(target) && (await findOther(ctx, viewer, target)) !== null)
        throw new CallError('ACCOUNT_TAKEN', { message: '这个手机号已被其他账号使用' });
      await changeAddress(ctx, account, target);
      return getCurrentUser(ctx, viewer.id);
    });
  }
  const account = await queries.findAccountByName(ctx.db, target);
  if (account === null) throw new CallError('WRONG_CODE');
  const way = isPhone(target) ? 'sms' : 'mail';
  const code = await takeCode(ctx, 'login', targetOf(account, way), input.code);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp);
  return inTx(ctx, async (ctx) => {
    await code.spend(ctx);
    const addedAt = way === 'sms' ? account.phoneAddedAt : account.emailAddedAt;
    await startSession(ctx, account, 'code', isTrustedAddress(addedAt, ctx.now));
    return getCurrentUser(ctx, account.userId);
  });
}
