import type * as calls from '@mozhan/contract/chats.ts';
import type { ChatMessages, Conversation } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { mapPage, readPage } from '../../../../db/page.ts';
import { getPhoneRequirementError, getUser } from '../../../accounts/users/index.ts';
import { findPair, listPairs } from '../queries/conversations.ts';
import { listLastMessages, listMessages, listRemovedSeqs } from '../queries/messages.ts';
import { listOwnRooms, type RoomAccess } from '../queries/room-access.ts';
import { listBlockedIds } from '../queries/users.ts';
import { getMuteError, getRoomAccessError } from '../rules/chats.ts';
import { toPairConversation, toRoomConversation } from '../views/chats.ts';
import { requireRoomAccess } from './access.ts';
import { getContactDenialReason } from './contacts.ts';
import { loadMessageViews } from './message-views.ts';

/** How many of the newest messages a page checks for removals that it missed while it was disconnected. */
const REMOVED_CHECK_RANGE = 200;

interface RangeQuery {
  after?: number | undefined;
  before?: number | undefined;
  limit: number;
}

type MessageRange = Pick<ChatMessages, 'list' | 'more' | 'lastSeq' | 'removed'>;

/** The caller has checked that the viewer may read the conversation. */
async function readMessages(
  ctx: Ctx,
  conversation: { id: string; lastSeq: number } | null,
  { after, before, limit }: RangeQuery,
  blocked?: ReadonlySet<string>,
): Promise<MessageRange> {
  if (conversation === null) return { list: [], more: false, lastSeq: 0, removed: [] };
  const { id, lastSeq } = conversation;
  const { rows, more } = await listMessages(ctx.db, { conversationId: id, after, before, limit });
  const list = await loadMessageViews(ctx, rows, blocked);
  const removed = await listRemovedSeqs(ctx.db, id, lastSeq - REMOVED_CHECK_RANGE);
  // The list may contain messages newer than the conversation row that was read before.
  return { list, more, lastSeq: Math.max(lastSeq, list.at(-1)?.seq ?? 0), removed };
}

async function readPair(ctx: Ctx, viewer: Viewer, userId: string, range: RangeQuery): Promise<ChatMessages> {
  if (userId === viewer.id) throw new CallError('MESSAGE_SELF');
  await getUser(ctx.db, userId);
  const pair = await findPair(ctx.db, viewer.id, userId);
  const why = await getContactDenialReason(ctx, viewer, userId);
  return {
    ...(await readMessages(ctx, pair?.conversation ?? null, range)),
    readSeq: pair?.readSeq ?? 0,
    otherReadSeq: pair?.otherReadSeq ?? 0,
    canSend: why === '',
    why,
    mutedUntil: null,
  };
}

async function loadLastMessages(
  ctx: Ctx,
  lastSeqs: { conversationId: string; seq: number }[],
  blocked?: ReadonlySet<string>,
) {
  const rows = [...(await listLastMessages(ctx.db, lastSeqs)).values()];
  const views = await loadMessageViews(ctx, rows, blocked);
  return new Map(rows.map(({ message }, at) => [message.conversationId, views[at] ?? null]));
}

async function listPairConversations(
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.listChats.input>,
): Promise<Page<Conversation>> {
  const page = await listPairs(ctx.db, { ...query, userId: viewer.id });
  const last = await loadLastMessages(
    ctx,
    page.list.map(({ id, lastSeq }) => ({ conversationId: id, seq: lastSeq })),
  );
  return mapPage(page, (row) => toPairConversation(ctx, row, last.get(row.id) ?? null));
}

export const listChats = (ctx: Ctx, viewer: Viewer, query: z.output<typeof calls.listChats.input>) =>
  query.userId === undefined
    ? listPairConversations(ctx, viewer, query)
    : readPair(ctx, viewer, query.userId, query);

async function readRoom(ctx: Ctx, viewer: Viewer, essayId: string, range: RangeQuery): Promise<ChatMessages> {
  const access = await requireRoomAccess(ctx, viewer, essayId);
  const { conversationId: id, lastSeq, readSeq } = access;
  const muteError = getMuteError(access, ctx.now);
  const why = (muteError ?? (await getPhoneRequirementError(ctx, viewer)))?.message ?? '';
  const blocked = await listBlockedIds(ctx.db, viewer.id);
  return {
    ...(await readMessages(ctx, id === null ? null : { id, lastSeq }, range, blocked)),
    readSeq,
    otherReadSeq: 0,
    canSend: why === '',
    why,
    mutedUntil: muteError === null ? null : (access.mutedUntil?.toISOString() ?? null),
  };
}

const toCursorKey = ({ updatedAt, conversationId }: RoomAccess): string[] => [
  updatedAt.toISOString(),
  conversationId ?? '',
];
const isAfterKey = (access: RoomAccess, [time = '', id = '']: string[]): boolean => {
  const [ownTime = '', ownId = ''] = toCursorKey(access);
  return ownTime < time || (ownTime === time && ownId < id);
};

/** Loads all rooms of the viewer and filters them in memory, since no index covers access. */
async function listRoomConversations(
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.listRoomChats.input>,
): Promise<Page<Conversation>> {
  const rooms = (await listOwnRooms(ctx.db, viewer.id, { keyword: query.keyword })).filter(
    (access) => getRoomAccessError(viewer, access, ctx.now) === null,
  );
  const page = await readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const rest = after === null ? rooms : rooms.filter((access) => isAfterKey(access, after));
      return rest.slice(offset, offset + limit);
    },
    total: async () => rooms.length,
    key: toCursorKey,
    parts: ['time'],
  });
  const last = await loadLastMessages(
    ctx,
    page.list.flatMap(({ conversationId, lastSeq }) =>
      conversationId === null ? [] : [{ conversationId, seq: lastSeq }],
    ),
    await listBlockedIds(ctx.db, viewer.id),
  );
  return mapPage(page, (access) => toRoomConversation(access, last.get(access.conversationId ?? '') ?? null));
}

export const listRoomChats = (ctx: Ctx, viewer: Viewer, query: z.output<typeof calls.listRoomChats.input>) =>
  query.essayId === undefined
    ? listRoomConversations(ctx, viewer, query)
    : readRoom(ctx, viewer, query.essayId, query);
