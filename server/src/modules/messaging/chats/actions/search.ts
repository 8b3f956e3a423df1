import type * as calls from '@mozhan/contract/chats.ts';
import type { FoundMessage } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { type Door, listDoors, listOwnDoors } from '../queries/doors.ts';
import { listBlocked } from '../queries/people.ts';
import { listPairPlaces, type Place, searchMessages } from '../queries/search.ts';
import { foldLine, refusalOf } from '../rules/chats.ts';
import { showMessages } from './show.ts';

const toPlaces = (doors: Door[]): Place[] =>
  doors.flatMap(({ conversationId, essay: { id, title } }) =>
    conversationId === null ? [] : [{ conversationId, user: null, essay: { id, title } }],
  );

/** Where the viewer may look: nothing is said of where they may not. */
async function listPlaces(
  ctx: Ctx,
  viewer: Viewer,
  { userId, essayId }: z.output<typeof calls.searchChats.input>,
): Promise<Place[]> {
  const isOpen = (door: Door) => refusalOf(viewer, door, ctx.now) === null;
  if (essayId !== undefined) return toPlaces((await listDoors(ctx.db, viewer.id, [essayId])).filter(isOpen));
  const pairs = await listPairPlaces(ctx.db, viewer.id, userId);
  if (userId !== undefined) return pairs;
  return [...pairs, ...toPlaces((await listOwnDoors(ctx.db, viewer.id)).filter(isOpen))];
}

export async function searchChats(
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.searchChats.input>,
): Promise<Page<FoundMessage>> {
  const places = await listPlaces(ctx, viewer, query);
  const blocked = await listBlocked(ctx.db, viewer.id);
  const folded = foldLine(query.keyword);
  const page = await searchMessages(ctx.db, { ...query, places, folded, blocked: [...blocked] });
  const shown = await showMessages(ctx, page.list, blocked);
  const byId = new Map(places.map((place) => [place.conversationId, place]));
  return {
    ...page,
    list: page.list.flatMap(({ message: { conversationId } }, at) => {
      const place = byId.get(conversationId);
      const message = shown[at];
      if (place === undefined || message === undefined) return [];
      return [{ user: place.user && toUserCard(place.user, ctx.now), essay: place.essay, message }];
    }),
  };
}
