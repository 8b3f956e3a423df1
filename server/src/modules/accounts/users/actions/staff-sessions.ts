import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { checkGrant, listGrantsOfUser, lockAccess } from '../../access/index.ts';
import { getStaffSession } from '../queries/staff-sessions.ts';
import { endSessions } from './sessions.ts';

/** The owner of the session must not have more permissions than the actor; ending one's own signs out. */
export function endStaffSession(ctx: Ctx, actor: Viewer, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const { session, user, account } = await getStaffSession(ctx.db, id);
    if (session.userId !== actor.id) checkGrant(actor, await listGrantsOfUser(ctx.db, session.userId));
    await endSessions(ctx, { userId: session.userId, only: id });
    if (id === actor.sessionId) ctx.reply.token = '';
    const { via, device, address, region } = session;
    const before = { account: account.name, displayName: user.displayName, via, device, address, region };
    logChange(ctx, `session:${id}`, before, null);
  });
}
