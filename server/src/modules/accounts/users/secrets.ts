import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { Ctx } from '../../../ctx.ts';
import { callerOf, createFairQueue } from '../../../threads/fair-queue.ts';

/** 256 random bits, in 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');
export const newTicket = (): string => randomBytes(16).toString('base64url');
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

const INVITE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
export const newInviteCode = (): string =>
  Array.from({ length: 10 }, () => INVITE_LETTERS[randomInt(INVITE_LETTERS.length)]).join('');

/** A password a person can read off a terminal and type: 80 bits. */
export const newPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => INVITE_LETTERS[randomInt(INVITE_LETTERS.length)]).join(''),
  ).join('-');

/** For tokens and tickets: random enough that a plain hash cannot be searched. */
export const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** For codes of six digits: useless without the site's secret. */
export const codeDigest = (secret: string, target: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`code\n${target}\n${code}`).digest();

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Hashing takes one of Node's four threads, which files and name look-ups need as well. */
const inTurn = createFairQueue({
  concurrency: Math.min(2, availableParallelism()),
  maxWaiting: 200,
  // Many people may share an address.
  maxWaitingPerCaller: 50,
  busyMessage: '登录和注册的人太多，请稍后再试',
});

/** argon2id. */
const toHash = ({ services }: Ctx, password: string): Promise<string> =>
  hash(password, { ...services.config.passwordCost, parallelism: 1 });

export const hashPassword = (ctx: Ctx, password: string): Promise<string> =>
  inTurn(callerOf(ctx), () => toHash(ctx, password));

let decoy: Promise<string> | undefined;

/** Takes as long for an account that does not exist, so that nobody learns which ones do. */
export async function verifyPassword(
  ctx: Ctx,
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= toHash(ctx, newToken());
  const known = passwordHash ?? (await decoy);
  const isRight = await inTurn(callerOf(ctx), () => verify(known, password));
  return isRight && passwordHash !== undefined;
}
