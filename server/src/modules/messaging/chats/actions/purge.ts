import type { Ctx } from '../../../../ctx.ts';
import { deleteChatsOfUsers } from '../queries/purge.ts';

/** Call before these users are deleted: removes their pairs and leaves tombstones in rooms. */
export async function purgeChats(ctx: Ctx, userIds: string[]): Promise<void> {
  if (userIds.length > 0) await deleteChatsOfUsers(ctx.db, userIds, ctx.now);
}
