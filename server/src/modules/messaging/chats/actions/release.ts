import type { Ctx } from '../../../../ctx.ts';
import { removeOf } from '../queries/release.ts';

/** Before these people go: what they said to somebody alone goes, of what they said in rooms only the places stay. */
export async function releaseChats(ctx: Ctx, userIds: string[]): Promise<void> {
  if (userIds.length > 0) await removeOf(ctx.db, userIds, ctx.now);
}
