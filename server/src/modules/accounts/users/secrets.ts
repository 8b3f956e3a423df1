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

/** A password that is easy to read and type: 80 bits. */
export const newPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => INVITE_LETTERS[randomInt(INVITE_LETTERS.length)]).join(''),
  ).join('-');

/** Tokens and tickets are random enough for a plain hash. */
export const hashToken = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Six digits need a keyed hash, or they could be found by trying all values. */
export const hashCode = (secret: string, target: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`code\n${target}\n${code}`).digest();

export const equalBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Hashing occupies a thread of Node's pool of four, which file access and DNS need too. */
const runInQueue = createFairQueue({
  concurrency: Math.min(2, availableParallelism()),
  maxWaiting: 200,
  // Many users may share an IP address.
  maxWaitingPerCaller: 50,
  busyMessage: '登录和注册的人太多，请稍后再试',
});

/** `@node-rs/argon2` uses argon2id by default. */
const runArgon2 = ({ services }: Ctx, password: string): Promise<string> =>
  hash(password, { ...services.config.passwordCost, parallelism: 1 });

export const hashPassword = (ctx: Ctx, password: string): Promise<string> =>
  runInQueue(callerOf(ctx), () => runArgon2(ctx, password));

let decoyHash: Promise<string> | undefined;

/** Takes equally long without an account, so that the time does not reveal whether one exists. */
export async function verifyPassword(
  ctx: Ctx,
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  decoyHash ??= runArgon2(ctx, newToken());
  const comparedHash = passwordHash ?? (await decoyHash);
  const isRight = await runInQueue(callerOf(ctx), () => verify(comparedHash, password));
  return isRight && passwordHash !== undefined;
}
