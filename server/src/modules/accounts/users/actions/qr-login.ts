import { CallError } from '@mozhan/contract/errors.ts';
import type { CurrentUser, TicketStatus } from '@mozhan/contract/users.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import * as queries from '../queries/accounts.ts';
import { CLAIM_LIFE, nextTicketStatus, TICKET_LIFE } from '../rules/users.ts';
import { digest, newTicket, newToken, sameBytes } from '../secrets.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { logFailedSignIn } from './sign-in-log.ts';

export async function createTicket(ctx: Ctx) {
  const ticket = newTicket();
  const secret = newToken();
  const expiresAt = new Date(ctx.now.getTime() + TICKET_LIFE);
  const { device, address, region } = ctx.asker;
  await queries.insertTicket(ctx.db, {
    hash: digest(ticket),
    secretHash: digest(secret),
    device,
    address,
    region,
    expiresAt,
  });
  const { siteUrl, basePath } = ctx.services.config;
  const url = `${siteUrl ?? basePath}/login.html?ticket=${ticket}`;
  return { ticket, secret, url, expiresAt: expiresAt.toISOString() };
}

/** A signed-in phone scans, then confirms or cancels; it is told which device and place asks. */
export function answerTicket(
  ctx: Ctx,
  viewer: Viewer,
  ticket: string,
  action: 'scan' | 'confirm' | 'cancel',
) {
  return inTx(ctx, async (ctx) => {
    const row = await queries.findTicket(ctx.db, digest(ticket), true);
    if (row === null) throw new CallError('TICKET_EXPIRED');
    const status = nextTicketStatus(row, action, viewer.id, ctx.now);
    const expiresAt = status === 'confirmed' ? new Date(ctx.now.getTime() + CLAIM_LIFE) : row.expiresAt;
    await queries.updateTicket(ctx.db, row.hash, { status, userId: viewer.id, expiresAt });
    return { status, device: row.device, place: row.region, expiresAt: expiresAt.toISOString() };
  });
}

/** The asking device polls; the first poll after the confirmation gets the token. */
export async function pollTicket(
  ctx: Ctx,
  ticket: string,
  secret: string,
): Promise<{ status: TicketStatus; user?: CurrentUser }> {
  const row = await queries.findTicket(ctx.db, digest(ticket));
  if (row === null) return { status: 'expired' };
  if (!sameBytes(row.secretHash, digest(secret))) {
    const { address } = ctx.asker;
    logFailedSignIn(ctx.services, { address, reason: 'qrcode', account: 'unknown' });
    throw new CallError('FORBIDDEN', { message: '二维码不属于这台设备' });
  }
  if (row.status !== 'cancelled' && row.expiresAt <= ctx.now) return { status: 'expired' };
  const { userId } = row;
  if (row.status !== 'confirmed' || userId === null) return { status: row.status };
  return inTx(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, userId);
    if (await queries.claimTicket(ctx.db, row.hash)) await startSession(ctx, account, 'qrcode');
    return { status: 'confirmed', user: await getCurrentUser(ctx, userId) };
  });
}
