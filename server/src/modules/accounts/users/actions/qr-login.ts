import { CallError } from '@mozhan/contract/errors.ts';
import type { CurrentUser, TicketStatus } from '@mozhan/contract/users.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import * as queries from '../queries/accounts.ts';
import { nextTicketStatus, TICKET_CLAIM_LIFETIME, TICKET_LIFETIME } from '../rules/users.ts';
import { equalBytes, hashToken, newTicket, newToken } from '../secrets.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { recordFailedTicket } from './sign-in-log.ts';

export async function createTicket(ctx: Ctx) {
  const ticket = newTicket();
  const secret = newToken();
  const expiresAt = new Date(ctx.now.getTime() + TICKET_LIFETIME);
  const { device, address, region } = ctx.requester;
  await queries.insertTicket(ctx.db, {
    hash: hashToken(ticket),
    secretHash: hashToken(secret),
    device,
    address,
    region,
    expiresAt,
  });
  const { siteUrl, basePath } = ctx.services.config;
  const url = `${siteUrl ?? basePath}/login.html?ticket=${ticket}`;
  return { ticket, secret, url, expiresAt: expiresAt.toISOString() };
}

/** A signed-in phone scans, then confirms or cancels; it sees the device and region that requests the sign-in. */
export function answerTicket(
  ctx: Ctx,
  viewer: Viewer,
  ticket: string,
  action: 'scan' | 'confirm' | 'cancel',
) {
  return inTransaction(ctx, async (ctx) => {
    const row = await queries.findTicket(ctx.db, hashToken(ticket), true);
    if (row === null) throw new CallError('TICKET_EXPIRED');
    const status = nextTicketStatus(row, action, viewer.id, ctx.now);
    const expiresAt =
      status === 'confirmed' ? new Date(ctx.now.getTime() + TICKET_CLAIM_LIFETIME) : row.expiresAt;
    await queries.updateTicket(ctx.db, row.hash, { status, userId: viewer.id, expiresAt });
    return { status, device: row.device, place: row.region, expiresAt: expiresAt.toISOString() };
  });
}

/** The requesting device polls; the first poll after the confirmation gets the token. */
export async function pollTicket(
  ctx: Ctx,
  ticket: string,
  secret: string,
): Promise<{ status: TicketStatus; user?: CurrentUser }> {
  const row = await queries.findTicket(ctx.db, hashToken(ticket));
  if (row === null) return { status: 'expired' };
  if (!equalBytes(row.secretHash, hashToken(secret))) {
    await recordFailedTicket(ctx);
    throw new CallError('FORBIDDEN', { message: '二维码不属于这台设备' });
  }
  if (row.status !== 'cancelled' && row.expiresAt <= ctx.now) return { status: 'expired' };
  const { userId } = row;
  if (row.status !== 'confirmed' || userId === null) return { status: row.status };
  return inTransaction(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, userId);
    if (await queries.claimTicket(ctx.db, row.hash)) await startSession(ctx, account, 'qrcode');
    return { status: 'confirmed', user: await getCurrentUser(ctx, userId) };
  });
}
