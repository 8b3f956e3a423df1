import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { CallError, type ErrorCode } from '@mozhan/contract/errors.ts';
import type { SignIn } from '@mozhan/contract/sign-ins.ts';
import { addressGroup } from '../../../../address.ts';
import { afterCommit, type Ctx, type Requester, type Services } from '../../../../ctx.ts';
import { createDb } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { findAccountByName } from '../queries/accounts.ts';
import { insertSignIn } from '../queries/sign-ins.ts';
import type { Account } from '../tables.ts';

type Via = SignIn['via'];
type Reason = NonNullable<SignIn['reason']>;

const reasons: Partial<Record<ErrorCode, Reason>> = {
  WRONG_PASSWORD: 'password',
  WRONG_TOTP: 'totp',
  WRONG_CODE: 'code',
  ACCOUNT_LOCKED: 'locked',
  ACCOUNT_DISABLED: 'disabled',
};

const toSafeAddress = (address: string): string => (isIP(address) === 0 ? 'unknown' : address);

const requesterFields = ({ address, region, device }: Requester) => ({
  address: toSafeAddress(address),
  region,
  device,
});

interface FailedSignIn {
  via: Via;
  reason: Reason;
  account: string;
  userId?: string | null;
}

/** Writes the row and the log line. Own connection: the transaction of the call is rolled back. */
async function recordFailedSignIn(
  services: Services,
  requester: Requester,
  { via, reason, account, userId = null }: FailedSignIn,
): Promise<void> {
  const fields = requesterFields(requester);
  // fail2ban parses `signIn`, `address` and `reason`: keep this order, before any user input.
  services.log.warn({ signIn: 'failed', address: fields.address, reason, account }, 'sign-in failed');
  const row = { id: newId(), userId, account, succeeded: false, via, reason, ...fields };
  await insertSignIn(createDb(services.pool), { ...row, createdAt: services.clock() });
}

/** Adds the row in the transaction that starts the session; the log line follows the commit. */
export async function recordSignIn(
  ctx: Ctx,
  { name, userId }: Pick<Account, 'name' | 'userId'>,
  via: Via,
): Promise<void> {
  const fields = requesterFields(ctx.requester);
  const row = { id: newId(), userId, account: name, succeeded: true, via, ...fields };
  await insertSignIn(ctx.db, { ...row, createdAt: ctx.now });
  const { log } = ctx.services;
  afterCommit(ctx, () =>
    log.info(
      { signIn: 'succeeded', address: ctx.requester.address, via, account: name, user: userId },
      'signed in',
    ),
  );
}

/** Users may type a password as the account, so input that names no account is stored as a keyed hash. */
export function toUnknownAccount({ secret }: Services, input: string): string {
  const hash = createHmac('sha256', secret).update(`log\n${input}`).digest('hex');
  return `unknown:${hash.slice(0, 12)}`;
}

/** `input` is the name that was typed, or that of the viewer. */
export async function withFailureLog<T>(
  ctx: Ctx,
  via: Via,
  input: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof CallError ? reasons[error.code] : undefined;
    if (reason !== undefined) {
      const { services, requester } = ctx;
      const account = await findAccountByName(ctx.db, input);
      const name = account?.name ?? toUnknownAccount(services, input);
      await recordFailedSignIn(services, requester, {
        via,
        reason,
        account: name,
        userId: account?.userId ?? null,
      });
    }
    throw error;
  }
}

/** For a QR code that another device requested. */
export const recordFailedTicket = ({ services, requester }: Ctx): Promise<void> =>
  recordFailedSignIn(services, requester, { via: 'qrcode', reason: 'qrcode', account: 'unknown' });

const MINUTE_MS = 60_000;
/** Rows per minute and process: a network has more addresses than the table has room for. */
const MAX_TOKEN_ROWS = 100;

/**
 * Returns a function that logs every request with an invalid API token and stores one per address and minute, and a
 * limited number of all: a program with an expired token may repeat its request without end.
 */
export function createTokenFailureLog(services: Services): (requester: Requester) => void {
  let minute = 0;
  let recorded = new Set<string>();
  return (requester) => {
    const failure = { via: 'token', reason: 'token', account: 'unknown' } as const;
    const now = Math.floor(services.clock().getTime() / MINUTE_MS);
    if (now !== minute) recorded = new Set();
    minute = now;
    const group = addressGroup(requester.address);
    if (recorded.has(group) || recorded.size >= MAX_TOKEN_ROWS) {
      const { reason, account } = failure;
      const address = toSafeAddress(requester.address);
      services.log.warn({ signIn: 'failed', address, reason, account }, 'sign-in failed');
      return;
    }
    recorded.add(group);
    recordFailedSignIn(services, requester, failure).catch((error: unknown) =>
      services.log.warn(error, 'sign-in log'),
    );
  };
}
