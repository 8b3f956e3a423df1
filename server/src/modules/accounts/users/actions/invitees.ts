import type { Page } from '@mozhan/contract/common.ts';
import { renderSVG } from 'uqr';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { listInvitees } from '../queries/invitees.ts';
import { getUser } from '../queries/users.ts';
import type { User } from '../tables.ts';

export async function getInvitation(
  ctx: Ctx,
  viewer: Viewer,
  query: PageQuery,
): Promise<{ page: Page<User>; inviteCode: string; inviteUrl: string; qr: string }> {
  const [{ inviteCode }, page] = await Promise.all([
    getUser(ctx.db, viewer.id),
    listInvitees(ctx.db, { ...query, userId: viewer.id }),
  ]);
  const { siteUrl, basePath } = ctx.services.config;
  const inviteUrl = `${siteUrl ?? basePath}/login.html?mode=register&invite=${encodeURIComponent(inviteCode)}`;
  return { page, inviteCode, inviteUrl, qr: renderSVG(inviteUrl) };
}
