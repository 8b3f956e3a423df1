import { UNDO_DAYS } from '@mozhan/contract/account-changes.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import { REAUTH_MINUTES } from '@mozhan/contract/reauth.ts';
import { PHONE } from '@mozhan/contract/users.ts';
import { commonPasswords } from '../common-passwords.ts';
import type { Account, QrTicket } from '../tables.ts';

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A token lives this long unused; use renews it. */
export const TOKEN_LIFE = 30 * DAY;
/** A token in use is replaced once a day. */
export const RENEW_AFTER = 24 * HOUR;
/** That a session or an API token is in use is written down this often at the most. */
export const NOTE_USE_AFTER = 10 * MINUTE;
/** More often for staff, whose sessions end after some hours without use. */
export const NOTE_STAFF_USE_AFTER = MINUTE;
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

export interface CodeLimit {
  max: number;
  per: number;
}

/** Codes that one address may ask for, for one e-mail, number or account: the longest time last. */
export const askLimits: readonly CodeLimit[] = [
  { max: 1, per: CODE_GAP },
  { max: 5, per: HOUR },
  { max: 10, per: DAY },
];

/** Codes that one network may ask for, for whatever names: enough for a campus, too few to spend the site's budget. */
export const networkAskLimits: readonly CodeLimit[] = [{ max: 200, per: DAY }];

/**
 * Codes that are really sent to one account, or to bind one e-mail or number, whoever asks. Strangers cannot use up
 * what is left for somebody who asks from a network from which the account has signed in before.
 */
export const sendLimits = {
  known: [{ max: 20, per: DAY }],
  stranger: [{ max: 30, per: DAY }],
  bind: [
    { max: 1, per: CODE_GAP },
    { max: 30, per: DAY },
  ],
} as const satisfies Record<string, readonly CodeLimit[]>;

/** For how long a network stays known without another sign-in. */
export const NETWORK_LIFE = 180 * DAY;

const kindOf = (target: string): string => {
  if (PHONE.test(target)) return '手机号';
  return target.includes('@') ? '邮箱' : '账号';
};

/** Why not yet, and for how long. */
export function tooManyAsks(
  target: string,
  asked: readonly Date[],
  limits: readonly CodeLimit[],
  now: Date,
): CallError {
  const newestFirst = asked.toSorted((a, b) => b.getTime() - a.getTime());
  const waitFor = ({ max, per }: CodeLimit) => (newestFirst[max - 1]?.getTime() ?? 0) + per - now.getTime();
  const longest = limits.toSorted((a, b) => waitFor(b) - waitFor(a))[0] ?? { max: 1, per: CODE_GAP };
  if (longest.per === DAY)
    return new CallError('TOO_MANY_REQUESTS', {
      message: `这个${kindOf(target)}一天里要的验证码太多，请明天再试`,
    });
  const reason = longest.per === CODE_GAP ? '刚要过验证码' : '要验证码太频繁';
  return new CallError('TOO_MANY_REQUESTS', {
    message: `这个${kindOf(target)}${reason}，请稍后再试`,
    retryAfter: Math.max(1, Math.ceil(waitFor(longest) / 1000)),
  });
}

/** Failures of one account from one address: from here on a challenge, from there on a lock, for this long. */
export const CHALLENGE_FROM = 5;
export const LOCK_FROM = 20;
export const LOCK_LIFE = 15 * MINUTE;

export interface GuessLimit {
  /** From the next one on a challenge, or a refusal. */
  max: number;
  /** One is forgotten after each such time. */
  forgetMs: number;
}

/** Failures of an address and of its network over all accounts; a school behind one address is only challenged. */
export const addressGuesses: GuessLimit = { max: 20, forgetMs: 3 * MINUTE };
export const networkGuesses: GuessLimit = { max: 60, forgetMs: MINUTE };
/** Failures at the second factor of an account from everywhere: only who knows the password gets there. */
export const totpGuesses: GuessLimit = { max: 10, forgetMs: 5 * MINUTE };
/** After the worst attack an address counts as new again after this. */
export const LONGEST_MEMORY = 12 * HOUR;

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
