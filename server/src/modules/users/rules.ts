import { UNDO_DAYS } from '#contract/account-changes.ts';
import { CallError, invalid } from '#contract/errors.ts';
import { REAUTH_MINUTES } from '#contract/reauth.ts';
import { PHONE } from '#contract/users.ts';
import { commonPasswords } from './common-passwords.ts';
import type { Account, QrTicket } from './tables.ts';

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** A token lives this long unused; use renews it. */
export const TOKEN_LIFE = 30 * DAY;
/** A token in use is replaced once a day. */
export const RENEW_AFTER = 24 * 60 * MINUTE;
/** That a session or an API token is in use is written down this often at the most. */
export const NOTE_USE_AFTER = 10 * MINUTE;
/** A replaced token stays good this long after its successor is first used. */
export const REPLACED_LIFE = 5 * MINUTE;

/** What an API token begins with, so that it is known for one wherever it turns up. */
export const API_TOKEN = 'mzt_';
export const MOST_TOKENS = 20;
/** One that has expired stays on its owner's list for this long. */
export const EXPIRED_TOKEN_LIFE = 30 * DAY;

export const isDueToNote = ({ used_at: usedAt }: { used_at: Date | null }, now: Date): boolean =>
  usedAt === null || now.getTime() - usedAt.getTime() > NOTE_USE_AFTER;

/** For this long a session may change what signs its owner in, once they have shown again who they are. */
export const REAUTH_LIFE = REAUTH_MINUTES * MINUTE;
/** An address added to an existing account resets no password and proves nothing before this time. */
const TRUST_ADDRESS_AFTER = DAY;
export const isTrustedAddress = (addedAt: Date | null, now: Date): boolean =>
  addedAt === null || now.getTime() - addedAt.getTime() >= TRUST_ADDRESS_AFTER;

/** A change can be undone by its link for this long; an undone one is not made again for the other. */
export const UNDO_LIFE = UNDO_DAYS * DAY;
export const UNDONE_LOCK = 24 * 60 * MINUTE;

export const TICKET_LIFE = 2 * MINUTE;
/** Once confirmed, the asker has this long to fetch its token. */
export const CLAIM_LIFE = MINUTE;

export const CODE_LIFE = 10 * MINUTE;
export const CODE_GAP = MINUTE;
export const CODE_ATTEMPTS = 5;

/** Codes that may be asked for by text message for one number, whoever asks: the longest time last. */
export const smsLimits = [
  { max: 1, per: CODE_GAP },
  { max: 5, per: 60 * MINUTE },
  { max: 10, per: DAY },
] as const;

/** Why not yet, and for how long. */
export function tooManyAsks(asked: readonly Date[], now: Date): CallError {
  const newestFirst = asked.toSorted((a, b) => b.getTime() - a.getTime());
  const waits = smsLimits.map(({ max, per }) => (newestFirst[max - 1]?.getTime() ?? 0) + per - now.getTime());
  const [minute = 0, hour = 0, day = 0] = waits;
  if (day > Math.max(minute, hour))
    return new CallError('TOO_MANY_REQUESTS', { message: '这个手机号一天里要的验证码太多，请明天再试' });
  return new CallError('TOO_MANY_REQUESTS', {
    message: hour > minute ? '这个手机号要验证码太频繁，请稍后再试' : '这个手机号刚要过验证码，请稍后再试',
    retryAfter: Math.max(1, Math.ceil(Math.max(minute, hour) / 1000)),
  });
}

/** Failures of one account from one address: from here on a challenge, from there on a lock, for this long. */
export const CHALLENGE_FROM = 5;
export const LOCK_FROM = 20;
export const LOCK_LIFE = 15 * MINUTE;

export function checkNewPassword(password: string, account: string, field: string): void {
  const plain = password.toLowerCase();
  if (commonPasswords.has(plain)) throw invalid(field, '这个密码太常见，容易被猜到，请换一个');
  if (plain === account || plain === account.split('@')[0]) throw invalid(field, '密码不能和账号一样');
  if (new Set(password).size < 3) throw invalid(field, '密码太简单，请换一个');
}

/** It could be somebody else's number, and sign them in. */
export function checkNewName(name: string): void {
  if (PHONE.test(name)) throw invalid('account', '账号不能是手机号；注册以后可以在设置里绑定手机号');
}

/** What a person is called who gave no name. */
export const nameFor = (account: string): string => account.split('@')[0]?.slice(0, 30) ?? account;

/** Named by an e-mail, an account gets that e-mail, which nobody has shown to be theirs. */
export const renamed = (account: Account, name: string, now: Date): Partial<Account> =>
  name.includes('@') && name !== account.email
    ? { name, email: name, emailVerified: false, emailAddedAt: now }
    : { name };

export const wrongPassword = (failures: number): CallError =>
  new CallError('WRONG_PASSWORD', {
    message:
      failures >= LOCK_FROM - 5
        ? `账号或密码不对，再错 ${LOCK_FROM - failures} 次将锁定 15 分钟`
        : '账号或密码不对，请检查后再试',
  });

/** What a ticket becomes when a signed-in phone acts on it. */
export function nextTicketStatus(
  ticket: Pick<QrTicket, 'status' | 'userId' | 'expiresAt'>,
  action: 'scan' | 'confirm' | 'cancel',
  userId: string,
  now: Date,
): 'scanned' | 'confirmed' | 'cancelled' {
  if (ticket.status === 'confirmed' || ticket.status === 'cancelled') throw new CallError('TICKET_USED');
  if (ticket.expiresAt <= now) throw new CallError('TICKET_EXPIRED');
  if (ticket.status === 'scanned' && ticket.userId !== userId) throw new CallError('TICKET_USED');
  if (action === 'confirm' && ticket.status !== 'scanned') throw new CallError('TICKET_NOT_SCANNED');
  return action === 'scan' ? 'scanned' : action === 'confirm' ? 'confirmed' : 'cancelled';
}
