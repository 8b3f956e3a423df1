import { CallError } from '@mozhan/contract/errors.ts';
import {
  type acceptCode as acceptCall,
  type CurrentUser,
  MAINLAND_PHONE,
  type sendCode as sendCall,
} from '@mozhan/contract/users.ts';
import { z } from 'zod';
import { addressGroup, networkOf } from '../../../../address.ts';
import { afterCommit, type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { addJob } from '../../../../jobs.ts';
import { canSendMail, canSendSms, sendMail, sendSms } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import * as queries from '../queries/accounts.ts';
import { isKnownNetwork } from '../queries/attempts.ts';
import {
  addToCodeBudget,
  getSentCount,
  listCodeRequests,
  tryAddCodeRequest,
} from '../queries/code-requests.ts';
import {
  CODE_LIFETIME,
  codeRequestLimits,
  codeSendLimits,
  createCodeLimitError,
  isTrustedAddress,
  MIN_CODE_INTERVAL,
  networkCodeRequestLimits,
} from '../rules/users.ts';
import { equalBytes, hashCode, hashToken, newCode } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { toCodeMail, toResetRefusedMail } from '../views/mails.ts';
import { recordAccountChange, requireChangeUnlocked } from './account-changes.ts';
import { requireChallenge } from './challenge.ts';
import { checkReauthTarget, requireReauth } from './require-reauth.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { checkTotp } from './sign-in.ts';
import { countSignInFailure } from './sign-in-limits.ts';
import { withFailureLog } from './sign-in-log.ts';

type Purpose = 'reset' | 'bind' | 'login' | 'reauth';
type CodeChannel = 'mail' | 'sms';

const subjects: Record<Purpose, string> = {
  reset: '重置密码',
  bind: '绑定邮箱',
  login: '登录',
  reauth: '验证身份',
};

const isPhone = (name: string): boolean => MAINLAND_PHONE.test(name);
const getAddressKind = (target: string) => (isPhone(target) ? 'phone' : 'email');

/** A typed phone number gets a text message if the site can send any; otherwise the account's e-mail is used. */
export const getCodeChannel = (ctx: Ctx, name: string): CodeChannel =>
  isPhone(name) && canSendSms(ctx) ? 'sms' : 'mail';

/** A code sent to the phone does not prove ownership of the e-mail, and vice versa, so their targets differ. */
export const toCodeTarget = ({ userId, phone }: Account, way: CodeChannel): string =>
  way === 'sms' ? `${userId} ${phone}` : userId;

const hashParts = (...parts: string[]): Buffer => hashToken(parts.join('\n'));

/**
 * Counts requests for unknown names too, so that a refusal does not reveal whether an account exists. The limit is per
 * requester, so that nobody can use up somebody else's.
 */
async function countCodeRequest(ctx: Ctx, name: string): Promise<void> {
  const network = hashParts('network', networkOf(ctx.requester.address));
  if (!(await tryAddCodeRequest(ctx.db, network, networkCodeRequestLimits, ctx.now)))
    throw new CallError('TOO_MANY_REQUESTS', { message: '你所在的网络今天的验证码已达上限，请明天再试' });
  const key = hashParts('ask', name, addressGroup(ctx.requester.address));
  if (await tryAddCodeRequest(ctx.db, key, codeRequestLimits, ctx.now)) return;
  throw createCodeLimitError(name, await listCodeRequests(ctx.db, key), codeRequestLimits, ctx.now);
}

const createBudgetError = (way: CodeChannel): CallError =>
  new CallError('TOO_MANY_REQUESTS', {
    message: `本站今天的${way === 'sms' ? '短信' : '邮件'}验证码已经发完，请明天再试`,
  });

/** Runs before any account lookup, so the response is the same for every name. */
async function requireBudget(ctx: Ctx, way: CodeChannel): Promise<void> {
  const sent = await getSentCount(ctx.db, chinaDayOf(ctx.now), way);
  if (sent >= ctx.services.config.codeBudgets[way]) throw createBudgetError(way);
}

async function wasSentRecently(ctx: Ctx, purpose: Purpose, target: string): Promise<boolean> {
  const last = await queries.findCode(ctx.db, purpose, target);
  return last !== null && last.expiresAt.getTime() > ctx.now.getTime() + CODE_LIFETIME - MIN_CODE_INTERVAL;
}

/** Counts a sent code for its target and for the site; throws when a limit is exceeded. */
async function countSentCode(ctx: Ctx, to: string, target: string, pool: keyof typeof codeSendLimits) {
  const way = isPhone(to) ? 'sms' : 'mail';
  const key = hashParts('sent', target, pool);
  if (!(await tryAddCodeRequest(ctx.db, key, codeSendLimits[pool], ctx.now)))
    throw createCodeLimitError(to, await listCodeRequests(ctx.db, key), codeSendLimits[pool], ctx.now);
  const budget = ctx.services.config.codeBudgets[way];
  const sent = await addToCodeBudget(ctx.db, chinaDayOf(ctx.now), way, budget);
  if (sent === null) throw createBudgetError(way);
  const { log } = ctx.services;
  if (sent === budget) afterCommit(ctx, () => log.warn({ way, budget }, 'daily budget of codes is spent'));
}

interface CodeDelivery {
  target: string;
  userId: string;
  to: string;
  quota: { target: string; pool: keyof typeof codeSendLimits };
}

/** Sends nothing while the last code is less than a minute old; that one is still valid. */
async function sendNewCode(
  ctx: Ctx,
  purpose: Purpose,
  { target, userId, to, quota }: CodeDelivery,
): Promise<void> {
  if (await wasSentRecently(ctx, purpose, target)) return;
  const digits = newCode();
  const { title } = await getSiteSettings(ctx);
  await inTransaction(ctx, async (ctx) => {
    await countSentCode(ctx, to, quota.target, quota.pool);
    await queries.replaceCode(ctx.db, {
      purpose,
      target,
      userId,
      hash: hashCode(ctx.services.secret, target, digits),
      expiresAt: new Date(ctx.now.getTime() + CODE_LIFETIME),
    });
    if (isPhone(to)) return sendSms(ctx, { to, code: digits });
    await sendMail(ctx, { kind: 'code', to, ...toCodeMail(title, subjects[purpose], digits) });
  });
}

/** Counts the attempt in any case; the caller uses up the code with `consume` in its own transaction. */
export async function verifyCode(ctx: Ctx, purpose: Purpose, target: string, code: string) {
  const row = await queries.countCodeAttempt(ctx.db, purpose, target, ctx.now);
  if (row === null || !equalBytes(row.hash, hashCode(ctx.services.secret, target, code)))
    throw new CallError('WRONG_CODE');
  return {
    async consume(ctx: Ctx): Promise<void> {
      if (!(await queries.removeCode(ctx.db, purpose, target, row.hash))) throw new CallError('WRONG_CODE');
    },
  };
}

export const codeRequestPayload = z.object({
  purpose: z.enum(['reset', 'login']),
  name: z.string(),
  way: z.enum(['mail', 'sms']).default('mail'),
  network: z.string().default(''),
});
type CodeRequest = z.output<typeof codeRequestPayload>;

/** A job looks the account up, so the response time does not reveal whether it exists. */
export async function requestCode(
  ctx: Ctx,
  request: Omit<CodeRequest, 'network'>,
  challenge: string | undefined,
): Promise<void> {
  await requireChallenge(ctx, challenge);
  await requireBudget(ctx, request.way);
  await inTransaction(ctx, async (ctx) => {
    await countCodeRequest(ctx, request.name);
    await addJob(ctx, 'mail-code', { ...request, network: networkOf(ctx.requester.address) });
  });
}

/** Sends nothing when there is no account or no address that may receive the code. */
export async function sendRequestedCode(
  ctx: Ctx,
  { purpose, name, way, network }: CodeRequest,
): Promise<void> {
  const account = await queries.findAccountByName(ctx.db, name);
  if (account === null || !account.enabled) return;
  const to = way === 'mail' ? account.email : account.phone === name ? name : null;
  if (to === null) return;
  // The address may belong to somebody else; a reset would verify it, a sign-in would not.
  if (way === 'mail' && purpose === 'login' && !account.emailVerified) return;
  const addedAt = way === 'mail' ? account.emailAddedAt : account.phoneAddedAt;
  const { userId } = account;
  const pool = (await isKnownNetwork(ctx.db, userId, network)) ? 'known' : 'stranger';
  const quota = { target: `${way} ${userId}`, pool } as const;
  try {
    if (purpose === 'reset' && !isTrustedAddress(addedAt, ctx.now)) await mailRefusalReason(ctx, to, quota);
    else await sendNewCode(ctx, purpose, { target: toCodeTarget(account, way), userId, to, quota });
  } catch (error) {
    // The response was sent already and is the same for every name.
    if (!(error instanceof CallError)) throw error;
    ctx.services.log.warn({ way, pool, user: userId }, 'code not sent: too many');
  }
}

/** The reader of the mail may be the owner, who waits for a code; the response reveals nothing. */
async function mailRefusalReason(ctx: Ctx, to: string, quota: CodeDelivery['quota']): Promise<void> {
  if (isPhone(to)) return;
  const { title } = await getSiteSettings(ctx);
  await inTransaction(ctx, async (ctx) => {
    await countSentCode(ctx, to, quota.target, quota.pool);
    await sendMail(ctx, { kind: 'reset-refused', to, ...toResetRefusedMail(title) });
  });
}

/** The target of a code that a signed-in user requested, valid for one address and one account. */
export const toOwnCodeTarget = (userId: string, to: string): string => `${userId} ${to}`;

async function findOtherOwner(ctx: Ctx, viewer: Viewer, name: string): Promise<Account | null> {
  const owner = await queries.findAccountByName(ctx.db, name);
  return owner !== null && owner.userId !== viewer.id ? owner : null;
}

/** Sends a code on behalf of a signed-in user; the receiver may be somebody else. */
export async function sendOwnCode(
  ctx: Ctx,
  viewer: Viewer,
  { purpose, to, challenge }: { purpose: 'bind' | 'reauth'; to: string; challenge: string | undefined },
): Promise<void> {
  await requireChallenge(ctx, challenge);
  await requireBudget(ctx, isPhone(to) ? 'sms' : 'mail');
  await inTransaction(ctx, async (ctx) => {
    await countCodeRequest(ctx, to);
    // Requests by others to bind the same address must not use up the owner's limit for re-authentication.
    const way = isPhone(to) ? 'sms' : 'mail';
    const quota =
      purpose === 'reauth'
        ? ({ target: `${way} ${viewer.id}`, pool: 'known' } as const)
        : ({ target: to, pool: 'bind' } as const);
    await sendNewCode(ctx, purpose, { target: toOwnCodeTarget(viewer.id, to), userId: viewer.id, to, quota });
  });
}

async function sendBindCode(
  ctx: Ctx,
  viewer: Viewer,
  to: string,
  challenge: string | undefined,
): Promise<void> {
  await requireReauth(ctx, viewer);
  await requireChangeUnlocked(ctx, viewer.id, getAddressKind(to));
  if (!isPhone(to) && (await findOtherOwner(ctx, viewer, to)) !== null)
    throw new CallError('ACCOUNT_TAKEN', { message: '这个邮箱已被其他账号使用' });
  await sendOwnCode(ctx, viewer, { purpose: 'bind', to, challenge });
}

export async function sendCode(ctx: Ctx, input: z.output<typeof sendCall.input>): Promise<void> {
  const { purpose, target, challenge } = input;
  const way = isPhone(target) ? 'sms' : 'mail';
  if (way === 'sms' && !canSendSms(ctx))
    throw new CallError('MAIL_NOT_CONFIGURED', { message: '本站没有配置短信服务，不能用手机号收验证码' });
  if (way === 'mail' && !canSendMail(ctx))
    throw new CallError('MAIL_NOT_CONFIGURED', { message: '本站没有配置邮件服务，不能用邮箱收验证码' });
  if (purpose === 'login') return requestCode(ctx, { purpose, name: target, way }, challenge);
  if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  if (purpose === 'reauth') {
    checkReauthTarget(ctx, await queries.getAccount(ctx.db, ctx.viewer.id), target);
    return sendOwnCode(ctx, ctx.viewer, { purpose, to: target, challenge });
  }
  return sendBindCode(ctx, ctx.viewer, target, challenge);
}

/** Codes sent to the previous address become invalid. */
async function changeAddress(ctx: Ctx, account: Account, target: string): Promise<void> {
  const isNew = target !== (isPhone(target) ? account.phone : account.email);
  const addedAt = isNew ? ctx.now : undefined;
  await queries.updateAccount(ctx.db, account.userId, {
    ...(isPhone(target)
      ? { phone: target, phoneAddedAt: addedAt }
      : { email: target, emailVerified: true, emailAddedAt: addedAt, emailBounce: null }),
    updatedAt: ctx.now,
  });
  await queries.removeCodes(ctx.db, account.userId, isPhone(target) ? 'sms' : 'mail');
  if (isNew) await recordAccountChange(ctx, account, { kind: getAddressKind(target), value: target });
}

export const acceptCode = (ctx: Ctx, input: z.output<typeof acceptCall.input>): Promise<CurrentUser> =>
  input.purpose === 'bind'
    ? withFailureLog(ctx, 'bind', ctx.viewer?.account ?? '', () => bind(ctx, input))
    : withFailureLog(ctx, 'code', input.target, () => signIn(ctx, input));

async function bind(ctx: Ctx, { target, ...input }: z.output<typeof acceptCall.input>): Promise<CurrentUser> {
  const { viewer } = ctx;
  if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  await requireReauth(ctx, viewer);
  const attempt = await countSignInFailure(ctx, { challenge: input.challenge });
  const code = await verifyCode(ctx, 'bind', toOwnCodeTarget(viewer.id, target), input.code);
  await attempt.revert();
  return inTransaction(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, viewer.id);
    await requireReauth(ctx, viewer);
    await requireChangeUnlocked(ctx, viewer.id, getAddressKind(target));
    await code.consume(ctx);
    // Checked only now, so that just the owner of the phone learns it. Old account names may look like numbers.
    if (isPhone(target) && (await findOtherOwner(ctx, viewer, target)) !== null)
      throw new CallError('ACCOUNT_TAKEN', { message: '这个手机号已被其他账号使用' });
    await changeAddress(ctx, account, target);
    return getCurrentUser(ctx, viewer.id);
  });
}

async function signIn(
  ctx: Ctx,
  { target, ...input }: z.output<typeof acceptCall.input>,
): Promise<CurrentUser> {
  const attempt = await countSignInFailure(ctx, { challenge: input.challenge });
  const account = await queries.findAccountByName(ctx.db, target);
  if (account === null) throw new CallError('WRONG_CODE');
  const way = isPhone(target) ? 'sms' : 'mail';
  const code = await verifyCode(ctx, 'login', toCodeTarget(account, way), input.code);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp, attempt.revert);
  const user = await inTransaction(ctx, async (ctx) => {
    await code.consume(ctx);
    const addedAt = way === 'sms' ? account.phoneAddedAt : account.emailAddedAt;
    await startSession(ctx, account, 'code', isTrustedAddress(addedAt, ctx.now));
    return getCurrentUser(ctx, account.userId);
  });
  await attempt.revert();
  return user;
}
