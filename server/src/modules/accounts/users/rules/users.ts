import { UNDO_DAYS } from '@mozhan/contract/account-changes.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { REAUTH_MINUTES } from '@mozhan/contract/reauth.ts';
import { MAINLAND_PHONE } from '@mozhan/contract/users.ts';
import { commonPasswords } from '../common-passwords.ts';
import type { Account, QrTicket } from '../tables.ts';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const TOKEN_LIFETIME = 30 * DAY_MS;
export const TOKEN_RENEWAL_AGE = 24 * HOUR_MS;
/** The use of a session or API token is recorded at most this often. */
export const USE_RECORD_INTERVAL = 10 * MINUTE_MS;
/** Shorter for staff, whose sessions end after some idle hours. */
export const STAFF_USE_RECORD_INTERVAL = MINUTE_MS;
/** A replaced token stays valid this long after its successor is first used. */
export const REPLACED_TOKEN_LIFETIME = 5 * MINUTE_MS;

/** Makes leaked API tokens recognizable, for example to secret scanners. */
export const API_TOKEN_PREFIX = 'mzt_';
export const MAX_API_TOKENS = 20;
export const EXPIRED_TOKEN_RETENTION = 30 * DAY_MS;

export const isUseRecordDue = ({ used_at: usedAt }: { used_at: Date | null }, now: Date): boolean =>
  usedAt === null || now.getTime() - usedAt.getTime() > USE_RECORD_INTERVAL;

/** After re-authentication a session may change credentials for this long. */
export const REAUTH_LIFETIME = REAUTH_MINUTES * MINUTE_MS;
/** A newly added e-mail or phone cannot reset the password or re-authenticate before this age. */
const ADDRESS_TRUST_AGE = DAY_MS;
export const isTrustedAddress = (addedAt: Date | null, now: Date): boolean =>
  addedAt === null || now.getTime() - addedAt.getTime() >= ADDRESS_TRUST_AGE;

/** A change can be undone for `UNDO_LIFETIME`; the same change is refused for `UNDONE_CHANGE_LOCK` afterwards. */
export const UNDO_LIFETIME = UNDO_DAYS * DAY_MS;
export const UNDONE_CHANGE_LOCK = 24 * 60 * MINUTE_MS;

export const TICKET_LIFETIME = 2 * MINUTE_MS;
/** After the confirmation the requesting device has this long to fetch its token. */
export const TICKET_CLAIM_LIFETIME = MINUTE_MS;

export const CODE_LIFETIME = 10 * MINUTE_MS;
export const MIN_CODE_INTERVAL = MINUTE_MS;
export const MAX_CODE_ATTEMPTS = 5;

export interface CodeLimit {
  max: number;
  windowMs: number;
}

/** Code requests per IP address and target; the longest window must be last. */
export const codeRequestLimits: readonly CodeLimit[] = [
  { max: 1, windowMs: MIN_CODE_INTERVAL },
  { max: 5, windowMs: HOUR_MS },
  { max: 10, windowMs: DAY_MS },
];

/** Code requests per network: enough for a campus, too few to use up the site's budget. */
export const networkCodeRequestLimits: readonly CodeLimit[] = [{ max: 200, windowMs: DAY_MS }];

/**
 * Codes sent per account, or per e-mail or phone to bind. Networks that the account has signed in from have a limit of
 * their own, so that strangers cannot use up the owner's.
 */
export const codeSendLimits = {
  known: [{ max: 20, windowMs: DAY_MS }],
  stranger: [{ max: 30, windowMs: DAY_MS }],
  bind: [
    { max: 1, windowMs: MIN_CODE_INTERVAL },
    { max: 30, windowMs: DAY_MS },
  ],
} as const satisfies Record<string, readonly CodeLimit[]>;

export const KNOWN_NETWORK_LIFETIME = 180 * DAY_MS;

const toTargetLabel = (target: string): string => {
  if (MAINLAND_PHONE.test(target)) return '手机号';
  return target.includes('@') ? '邮箱' : '账号';
};

/** Tells the requester when the next code is possible. */
export function createCodeLimitError(
  target: string,
  requestTimes: readonly Date[],
  limits: readonly CodeLimit[],
  now: Date,
): CallError {
  const newestFirst = requestTimes.toSorted((a, b) => b.getTime() - a.getTime());
  const waitFor = ({ max, windowMs }: CodeLimit) =>
    (newestFirst[max - 1]?.getTime() ?? 0) + windowMs - now.getTime();
  const longest = limits.toSorted((a, b) => waitFor(b) - waitFor(a))[0] ?? {
    max: 1,
    windowMs: MIN_CODE_INTERVAL,
  };
  if (longest.windowMs === DAY_MS)
    return new CallError('TOO_MANY_REQUESTS', {
      message: `这个${toTargetLabel(target)}今天的验证码已达上限，请明天再试`,
    });
  const reason = longest.windowMs === MIN_CODE_INTERVAL ? '刚发送过验证码' : '发送验证码太频繁';
  return new CallError('TOO_MANY_REQUESTS', {
    message: `这个${toTargetLabel(target)}${reason}，请稍后再试`,
    retryAfter: Math.max(1, Math.ceil(waitFor(longest) / 1000)),
  });
}

/** Failures of one account from one IP address that lead to a challenge, or to a lock for `LOCK_DURATION`. */
export const CHALLENGE_THRESHOLD = 5;
export const LOCK_THRESHOLD = 20;
export const LOCK_DURATION = 15 * MINUTE_MS;

export interface AttemptLimit {
  /** The next attempt needs a challenge or is refused. */
  max: number;
  /** The counter decreases by one after each such time. */
  decayMs: number;
}

/** Failures over all accounts. They lead only to a challenge, since a whole school may share an address. */
export const addressAttemptLimit: AttemptLimit = { max: 20, decayMs: 3 * MINUTE_MS };
export const networkAttemptLimit: AttemptLimit = { max: 60, decayMs: MINUTE_MS };
/** Failures at the second factor from all addresses; only somebody who knows the password gets this far. */
export const totpAttemptLimit: AttemptLimit = { max: 10, decayMs: 5 * MINUTE_MS };
/** Upper limit of the decay time after an attack. */
export const MAX_ATTEMPT_MEMORY = 12 * HOUR_MS;

export function checkNewPassword(password: string, account: string, field: string): void {
  const plain = password.toLowerCase();
  if (commonPasswords.has(plain)) throw invalidField(field, '这个密码太常见，容易被猜到，请换一个');
  if (plain === account || plain === account.split('@')[0]) throw invalidField(field, '密码不能和账号一样');
  if (new Set(password).size < 3) throw invalidField(field, '密码太简单，请换一个');
}

/** A phone number as account name could sign in as the owner of that phone. */
export function checkNewAccountName(name: string): void {
  if (MAINLAND_PHONE.test(name))
    throw invalidField('account', '账号不能是手机号；注册以后可以在设置里绑定手机号');
}

export const toDefaultDisplayName = (account: string): string =>
  account.split('@')[0]?.slice(0, 30) ?? account;

/** An account that is renamed to an e-mail gets that e-mail as unverified. */
export const toRenamedFields = (account: Account, name: string, now: Date): Partial<Account> =>
  name.includes('@') && name !== account.email
    ? { name, email: name, emailVerified: false, emailAddedAt: now }
    : { name };

export const createSignInError = (failures: number): CallError =>
  new CallError('WRONG_PASSWORD', {
    message:
      failures >= LOCK_THRESHOLD - 5
        ? `账号或密码不对，再错 ${LOCK_THRESHOLD - failures} 次将锁定 15 分钟`
        : '账号或密码不对，请检查后再试',
  });

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

/** Chinese law requires network logs of at least six months. */
export const SIGN_IN_LOG_MONTHS = 6;

export function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}
