import type { Ctx, Viewer } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { createRoomAccessQuery, listRoomAccess, type RoomAccess } from '../queries/room-access.ts';
import { getRoomAccessError } from '../rules/chats.ts';

const findRoomAccess = createLookup(createRoomAccessQuery);

/** Throws unless the viewer may enter the room; called at every read, join and message, and never cached. */
export async function requireRoomAccess(ctx: Ctx, viewer: Viewer, essayId: string): Promise<RoomAccess> {
  const access = (await findRoomAccess(ctx, viewer.id + essayId)) ?? undefined;
  const error = getRoomAccessError(viewer, access, ctx.now);
  if (error !== null) throw error;
  if (access === undefined) throw new Error('room access check returned no error for an unknown essay');
  return access;
}

export async function filterReadableRooms(ctx: Ctx, viewer: Viewer, essayIds: string[]): Promise<string[]> {
  if (essayIds.length === 0 || !ctx.services.switches.current().chats) return [];
  const rooms = await listRoomAccess(ctx.db, viewer.id, essayIds);
  return rooms
    .filter((access) => getRoomAccessError(viewer, access, ctx.now) === null)
    .map(({ essay }) => essay.id);
}
