import type * as calls from '@mozhan/contract/chats.ts';
import type { MessageSearchResult } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { listOwnRooms, listRoomAccess, type RoomAccess } from '../queries/room-access.ts';
import { listPairScopes, type SearchScope, searchMessages } from '../queries/search.ts';
import { listBlockedIds } from '../queries/users.ts';
import { getRoomAccessError, normalizeForSearch } from '../rules/chats.ts';
import { loadMessageViews } from './message-views.ts';

const toRoomScopes = (rooms: RoomAccess[]): SearchScope[] =>
  rooms.flatMap(({ conversationId, essay: { id, title } }) =>
    conversationId === null ? [] : [{ conversationId, user: null, essay: { id, title } }],
  );

/** Lists the conversations to search; those without access are left out silently, so their existence stays hidden. */
async function listScopes(
  ctx: Ctx,
  viewer: Viewer,
  { userId, essayId }: z.output<typeof calls.searchChats.input>,
): Promise<SearchScope[]> {
  const isOpen = (access: RoomAccess) => getRoomAccessError(viewer, access, ctx.now) === null;
  if (essayId !== undefined)
    return toRoomScopes((await listRoomAccess(ctx.db, viewer.id, [essayId])).filter(isOpen));
  const pairs = await listPairScopes(ctx.db, viewer.id, userId);
  if (userId !== undefined) return pairs;
  return [...pairs, ...toRoomScopes((await listOwnRooms(ctx.db, viewer.id)).filter(isOpen))];
}

export async function searchChats(
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.searchChats.input>,
): Promise<Page<MessageSearchResult>> {
  const scopes = await listScopes(ctx, viewer, query);
  const blocked = await listBlockedIds(ctx.db, viewer.id);
  const folded = normalizeForSearch(query.keyword);
  const page = await searchMessages(ctx.db, { ...query, scopes, folded, blocked: [...blocked] });
  const views = await loadMessageViews(ctx, page.list, blocked);
  const byId = new Map(scopes.map((scope) => [scope.conversationId, scope]));
  return {
    ...page,
    list: page.list.flatMap(({ message: { conversationId } }, at) => {
      const scope = byId.get(conversationId);
      const message = views[at];
      if (scope === undefined || message === undefined) return [];
      return [{ user: scope.user && toUserCard(scope.user, ctx.now), essay: scope.essay, message }];
    }),
  };
}
