import { type Ctx, changed, inTx, type Viewer } from '../../../../ctx.ts';
import { checkGrant, listGrantsOf, lockAccess } from '../../access/index.ts';
import { getStaffSession } from '../queries/staff-sessions.ts';
import { endSessions } from './sessions.ts';

/** Of somebody who holds no more than oneself; one's own is signed out. */
export function endStaffSession(ctx: Ctx, actor: Viewer, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const { session, user, account } = await getStaffSession(ctx.db, id);
    if (session.userId !== actor.id) checkGrant(actor, await listGrantsOf(ctx.db, session.userId));
    await endSessions(ctx, { userId: session.userId, only: id });
    if (id === actor.sessionId) ctx.reply.token = '';
    const { via, device, address, region } = session;
    const before = { account: account.name, displayName: user.displayName, via, device, address, region };
    changed(ctx, `session:${id}`, before, null);
  });
}
