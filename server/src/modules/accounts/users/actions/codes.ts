import { CallError } from '@mozhan/contract/errors.ts';
import {
  type acceptCode as acceptCall,
  type CurrentUser,
  PHONE,
  type sendCode as sendCall,
} from '@mozhan/contract/users.ts';
import { z } from 'zod';
import { addressGroup, networkOf } from '../../../../address.ts';
import { afterCommit, type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { addJob } from '../../../../jobs.ts';
import { canMail, canText, sendMail, sendSms } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import * as queries from '../queries/accounts.ts';
import { addAsk, addToBudget, findAsks, findSent } from '../queries/code-asks.ts';
import { hasNetwork } from '../queries/guesses.ts';
import {
  askLimits,
  CODE_GAP,
  CODE_LIFE,
  isTrustedAddress,
  networkAskLimits,
  sendLimits,
  tooManyAsks,
} from '../rules/users.ts';
import { codeDigest, digest, newCode, sameBytes } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { recordChange, requireUnlocked } from './account-changes.ts';
import { requireChallenge } from './challenge.ts';
import { countSignInFailure } from './guard.ts';
import { checkReauthTarget, requireReauth } from './require-reauth.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { checkTotp } from './sign-in.ts';
import { loggingFailures } from './sign-in-log.ts';

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

const hashOf = (...parts: string[]): Buffer => digest(parts.join('\n'));

/**
 * Every ask for a name counts, whether anybody has it or not: the refusal tells nothing. It counts for whoever asks, so
 * that nobody uses up what somebody else may ask for.
 */
async function countAsk(ctx: Ctx, name: string): Promise<void> {
  const network = hashOf('network', networkOf(ctx.asker.address));
  if (!(await addAsk(ctx.db, network, networkAskLimits, ctx.now)))
    throw new CallError('TOO_MANY_REQUESTS', { message: '你所在的网络今天要的验证码太多，请明天再试' });
  const key = hashOf('ask', name, addressGroup(ctx.asker.address));
  if (await addAsk(ctx.db, key, askLimits, ctx.now)) return;
  throw tooManyAsks(name, await findAsks(ctx.db, key), askLimits, ctx.now);
}

const spent = (way: Way): CallError =>
  new CallError('TOO_MANY_REQUESTS', {
    message: `本站今天的${way === 'sms' ? '短信' : '邮件'}验证码已经发完，请明天再试`,
  });

/** Before anybody is looked up: it is the same for everyone. */
async function requireBudget(ctx: Ctx, way: Way): Promise<void> {
  const sent = await findSent(ctx.db, dayOf(ctx.now), way);
  if (sent >= ctx.services.config.codeBudgets[way]) throw spent(way);
}

async function isRecent(ctx: Ctx, purpose: Purpose, target: string): Promise<boolean> {
  const last = await queries.findCode(ctx.db, purpose, target);
  return last !== null && last.expiresAt.getTime() > ctx.now.getTime() + CODE_LIFE - CODE_GAP;
}

/** Counts what is sent, for its target and for the site; throws when it is too much. */
async function countSending(ctx: Ctx, to: string, target: string, pool: keyof typeof sendLimits) {
  const way = isPhone(to) ? 'sms' : 'mail';
  const key = hashOf('sent', target, pool);
  if (!(await addAsk(ctx.db, key, sendLimits[pool], ctx.now)))
    throw tooManyAsks(to, await findAsks(ctx.db, key), sendLimits[pool], ctx.now);
  const budget = ctx.services.config.codeBudgets[way];
  const sent = await addToBudget(ctx.db, dayOf(ctx.now), way, budget);
  if (sent === null) throw spent(way);
  const { log } = ctx.services;
  if (sent === budget) afterCommit(ctx, () => log.warn({ way, budget }, 'daily budget of codes is spent'));
}

interface Sending {
  /** Of the code. */
  target: string;
  userId: string;
  to: string;
  /** Under which name it counts, and among which. */
  counted: { target: string; pool: keyof typeof sendLimits };
}

/** Sends a new code; not when the last one is under a minute old, which still serves. */
async function send(ctx: Ctx, purpose: Purpose, { target, userId, to, counted }: Sending): Promise<void> {
  if (await isRecent(ctx, purpose, target)) return;
  const digits = newCode();
  const { title } = await getSiteSettings(ctx);
  await inTx(ctx, async (ctx) => {
    await countSending(ctx, to, counted.target, counted.pool);
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
  /** Of whoever asks. */
  network: z.string().default(''),
});
type CodeRequest = z.output<typeof codeRequest>;

/** Looked up by a job: the answer takes as long whether there is such an account or not. */
export async function requestCode(
  ctx: Ctx,
  request: Omit<CodeRequest, 'network'>,
  challenge: string | undefined,
): Promise<void> {
  await requireChallenge(ctx, challenge);
  await requireBudget(ctx, request.way);
  await inTx(ctx, async (ctx) => {
    await countAsk(ctx, request.name);
    await addJob(ctx, 'mail-code', { ...request, network: networkOf(ctx.asker.address) });
  });
}

/** Sends a code to the owner of an account, if there is one who can have it. */
export async function sendRequestedCode(
  ctx: Ctx,
  { purpose, name, way, network }: CodeRequest,
): Promise<void> {
  const account = await queries.findAccountByName(ctx.db, name);
  if (account === null || !account.enabled) return;
  const to = way === 'mail' ? account.email : account.phone === name ? name : null;
  if (to === null) return;
  // Whoever registered with an address may not be its owner; a reset puts that right, a sign-in would not.
  if (way === 'mail' && purpose === 'login' && !account.emailVerified) return;
  const addedAt = way === 'mail' ? account.emailAddedAt : account.phoneAddedAt;
  const { userId } = account;
  const pool = (await hasNetwork(ctx.db, userId, network)) ? 'known' : 'stranger';
  const counted = { target: `${way} ${userId}`, pool } as const;
  try {
    if (purpose === 'reset' && !isTrustedAddress(addedAt, ctx.now)) await explainRefusal(ctx, to, counted);
    else await send(ctx, purpose, { target: targetOf(account, way), userId, to, counted });
  } catch (error) {
    // Nobody is told: the answer, long gone, is the same for every name.
    if (!(error instanceof CallError)) throw error;
    ctx.services.log.warn({ way, pool, user: userId }, 'code not sent: too many');
  }
}

/** Whoever asked is told nothing; whoever reads the mail may be the owner, who wonders why no code comes. */
async function explainRefusal(ctx: Ctx, to: string, counted: Sending['counted']): Promise<void> {
  if (isPhone(to)) return;
  const { title } = await getSiteSettings(ctx);
  await inTx(ctx, async (ctx) => {
    await countSending(ctx, to, counted.target, counted.pool);
    await sendMail(ctx, {
      to,
      subject: `${title}：暂时不能用这个邮箱重置密码`,
      text: `有人请求用这个邮箱重置${title}的密码。为了防止账号被盗，绑定不满 24 小时的邮箱不能用来重置密码，请过后再试，或者用账号里原有的邮箱或手机号。\n\n如果不是你本人操作，忽略这封邮件即可。\n`,
    });
  });
}

/** What a code is good for that somebody signed in has asked for: one address, one account. */
export const ownTarget = (userId: string, to: string): string => `${userId} ${to}`;

/** Who has it already. */
async function findOther(ctx: Ctx, viewer: Viewer, name: string): Promise<Account | null> {
  const owner = await queries.findAccountByName(ctx.db, name);
  return owner !== null && owner.userId !== viewer.id ? owner : null;
}

/** Sends a code to somebody signed in. Whoever gets it may not have asked for it. */
export async function sendOwnCode(
  ctx: Ctx,
  viewer: Viewer,
  { purpose, to, challenge }: { purpose: 'bind' | 'reauth'; to: string; challenge: string | undefined },
): Promise<void> {
  await requireChallenge(ctx, challenge);
  await requireBudget(ctx, isPhone(to) ? 'sms' : 'mail');
  await inTx(ctx, async (ctx) => {
    await countAsk(ctx, to);
    // What the owner needs to prove who they are is not for others to use up by asking to bind the same address.
    const way = isPhone(to) ? 'sms' : 'mail';
    const counted =
      purpose === 'reauth'
        ? ({ target: `${way} ${viewer.id}`, pool: 'known' } as const)
        : ({ target: to, pool: 'bind' } as const);
    await send(ctx, purpose, { target: ownTarget(viewer.id, to), userId: viewer.id, to, counted });
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

export const acceptCode = (ctx: Ctx, input: z.output<typeof acceptCall.input>): Promise<CurrentUser> =>
  input.purpose === 'bind'
    ? loggingFailures(ctx, ctx.viewer?.account ?? '', () => bind(ctx, input))
    : loggingFailures(ctx, input.target, () => signIn(ctx, input));

async function bind(ctx: Ctx, { target, ...input }: z.output<typeof acceptCall.input>): Promise<CurrentUser> {
  const { viewer } = ctx;
  if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  await requireReauth(ctx, viewer);
  const guess = await countSignInFailure(ctx, { challenge: input.challenge });
  const code = await takeCode(ctx, 'bind', ownTarget(viewer.id, target), input.code);
  await guess.takeBack();
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

async function signIn(
  ctx: Ctx,
  { target, ...input }: z.output<typeof acceptCall.input>,
): Promise<CurrentUser> {
  const guess = await countSignInFailure(ctx, { challenge: input.challenge });
  const account = await queries.findAccountByName(ctx.db, target);
  if (account === null) throw new CallError('WRONG_CODE');
  const way = isPhone(target) ? 'sms' : 'mail';
  const code = await takeCode(ctx, 'login', targetOf(account, way), input.code);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp, guess.takeBack);
  const user = await inTx(ctx, async (ctx) => {
    await code.spend(ctx);
    const addedAt = way === 'sms' ? account.phoneAddedAt : account.emailAddedAt;
    await startSession(ctx, account, 'code', isTrustedAddress(addedAt, ctx.now));
    return getCurrentUser(ctx, account.userId);
  });
  await guess.takeBack();
  return user;
}
