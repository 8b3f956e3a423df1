import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { canText } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { getAccount } from '../queries/accounts.ts';

/** Where operators demand a phone before anything is posted: what keeps this one from it. Staff need none. */
export async function findPhoneRefusal(ctx: Ctx, viewer: Viewer): Promise<CallError | null> {
  // Where nobody can bind one, nobody is asked for it.
  if (viewer.isStaff || !canText(ctx)) return null;
  const { requirePhone } = await getSiteSettings(ctx);
  if (!requirePhone || (await getAccount(ctx.db, viewer.id)).phone !== null) return null;
  return new CallError('FORBIDDEN', { message: '发表前请先在设置里绑定手机号' });
}

export async function requirePhone(ctx: Ctx, viewer: Viewer): Promise<void> {
  const refusal = await findPhoneRefusal(ctx, viewer);
  if (refusal !== null) throw refusal;
}
