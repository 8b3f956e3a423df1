import type { Ctx } from '../../../../ctx.ts';
import { notify } from '../../../accounts/users/index.ts';
import { listSuperAdminIds } from '../queries.ts';

export async function notifySupers(ctx: Ctx, { id }: { id: string }, text: string): Promise<void> {
  const target = { id, title: '备份', url: '/admin/backup' };
  const supers = await listSuperAdminIds(ctx.db);
  await notify(ctx, ...supers.map((userId) => ({ userId, kind: 'system' as const, text, target })));
}
