import type { Ctx, Viewer } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { createDoorsQuery, type Door, listDoors } from '../queries/doors.ts';
import { refusalOf } from '../rules/chats.ts';

const findDoor = createLookup(createDoorsQuery);

/** Into the room of an essay, for whoever may read all of it; asked at every read, join and word. */
export async function enter(ctx: Ctx, viewer: Viewer, essayId: string): Promise<Door> {
  const door = (await findDoor(ctx, viewer.id + essayId)) ?? undefined;
  const refusal = refusalOf(viewer, door, ctx.now);
  if (refusal !== null) throw refusal;
  if (door === undefined) throw new Error('no door');
  return door;
}

/** Those of the rooms that the viewer may hear. */
export async function mayHear(ctx: Ctx, viewer: Viewer, essayIds: string[]): Promise<string[]> {
  if (essayIds.length === 0) return [];
  const doors = await listDoors(ctx.db, viewer.id, essayIds);
  return doors.filter((door) => refusalOf(viewer, door, ctx.now) === null).map(({ essay }) => essay.id);
}
