import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { canSendSms } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { getAccount } from '../queries/accounts.ts';

/** Returns an error when the site requires a phone and the viewer has none; staff are exempt. */
export async function getPhoneRequirementError(ctx: Ctx, viewer: Viewer): Promise<CallError | null> {
  // Without text messages nobody could bind a phone.
  if (viewer.isStaff || !canSendSms(ctx)) return null;
  const { requirePhone } = await getSiteSettings(ctx);
  if (!requirePhone || (await getAccount(ctx.db, viewer.id)).phone !== null) return null;
  return new CallError('FORBIDDEN', { message: '发布前请先在设置里绑定手机号' });
}

export async function requirePhone(ctx: Ctx, viewer: Viewer): Promise<void> {
  const error = await getPhoneRequirementError(ctx, viewer);
  if (error !== null) throw error;
}
