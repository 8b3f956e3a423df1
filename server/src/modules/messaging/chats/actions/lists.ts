import type * as calls from '@mozhan/contract/chats.ts';
import type { ChatMessages, Talk } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { mapPage, readPage } from '../../../../db/page.ts';
import { findPhoneRefusal, getUser } from '../../../accounts/users/index.ts';
import { type Door, listOwnDoors } from '../queries/doors.ts';
import { listLast, listMessages, listRemoved } from '../queries/messages.ts';
import { listBlocked } from '../queries/people.ts';
import { findPair, listPairs } from '../queries/talks.ts';
import { refusalOf, silenceOf } from '../rules/chats.ts';
import { toPairTalk, toRoomTalk } from '../views/chats.ts';
import { enter } from './access.ts';
import { whyNot } from './contacts.ts';
import { showMessages } from './show.ts';

/** As far back as a page looks for what was taken away while it was not connected. */
const REMOVED_WITHIN = 200;

interface Range {
  after?: number | undefined;
  before?: number | undefined;
  limit: number;
}

type Read = Pick<ChatMessages, 'list' | 'more' | 'lastSeq' | 'removed'>;

/** Of a conversation that the viewer may read. */
async function read(
  ctx: Ctx,
  conversation: { id: string; lastSeq: number } | null,
  { after, before, limit }: Range,
  blocked?: ReadonlySet<string>,
): Promise<Read> {
  if (conversation === null) return { list: [], more: false, lastSeq: 0, removed: [] };
  const { id, lastSeq } = conversation;
  const { rows, more } = await listMessages(ctx.db, { conversationId: id, after, before, limit });
  const list = await showMessages(ctx, rows, blocked);
  const removed = await listRemoved(ctx.db, id, lastSeq - REMOVED_WITHIN);
  // What was said since the conversation was looked at is known by now.
  return { list, more, lastSeq: Math.max(lastSeq, list.at(-1)?.seq ?? 0), removed };
}

async function readPair(ctx: Ctx, viewer: Viewer, userId: string, range: Range): Promise<ChatMessages> {
  if (userId === viewer.id) throw new CallError('MESSAGE_SELF');
  await getUser(ctx.db, userId);
  const pair = await findPair(ctx.db, viewer.id, userId);
  const why = await whyNot(ctx, viewer, userId);
  return {
    ...(await read(ctx, pair?.conversation ?? null, range)),
    readSeq: pair?.readSeq ?? 0,
    otherReadSeq: pair?.otherReadSeq ?? 0,
    canSend: why === '',
    why,
  };
}

/** The last message of each, by conversation. */
async function showLast(
  ctx: Ctx,
  talks: { conversationId: string; seq: number }[],
  blocked?: ReadonlySet<string>,
) {
  const rows = [...(await listLast(ctx.db, talks)).values()];
  const shown = await showMessages(ctx, rows, blocked);
  return new Map(rows.map(({ message }, at) => [message.conversationId, shown[at] ?? null]));
}

async function listPairTalks(
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.listChats.input>,
): Promise<Page<Talk>> {
  const page = await listPairs(ctx.db, { ...query, userId: viewer.id });
  const last = await showLast(
    ctx,
    page.list.map(({ id, lastSeq }) => ({ conversationId: id, seq: lastSeq })),
  );
  return mapPage(page, (row) => toPairTalk(ctx, row, last.get(row.id) ?? null));
}

export const listChats = (ctx: Ctx, viewer: Viewer, query: z.output<typeof calls.listChats.input>) =>
  query.userId === undefined ? listPairTalks(ctx, viewer, query) : readPair(ctx, viewer, query.userId, query);

async function readRoom(ctx: Ctx, viewer: Viewer, essayId: string, range: Range): Promise<ChatMessages> {
  const door = await enter(ctx, viewer, essayId);
  const { conversationId: id, lastSeq, readSeq } = door;
  const why = (silenceOf(door, ctx.now) ?? (await findPhoneRefusal(ctx, viewer)))?.message ?? '';
  const blocked = await listBlocked(ctx.db, viewer.id);
  return {
    ...(await read(ctx, id === null ? null : { id, lastSeq }, range, blocked)),
    readSeq,
    otherReadSeq: 0,
    canSend: why === '',
    why,
  };
}

const keyOf = ({ updatedAt, conversationId }: Door): string[] => [
  updatedAt.toISOString(),
  conversationId ?? '',
];
const isBehind = (door: Door, [time = '', id = '']: string[]): boolean => {
  const [ownTime = '', ownId = ''] = keyOf(door);
  return ownTime < time || (ownTime === time && ownId < id);
};

/** Those that the viewer takes part in and may still read, all of which are looked at: access is none of an index. */
async function listRoomTalks(
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.listRoom.input>,
): Promise<Page<Talk>> {
  const doors = (await listOwnDoors(ctx.db, viewer.id, { keyword: query.keyword })).filter(
    (door) => refusalOf(viewer, door, ctx.now) === null,
  );
  const page = await readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const rest = after === null ? doors : doors.filter((door) => isBehind(door, after));
      return rest.slice(offset, offset + limit);
    },
    total: async () => doors.length,
    key: keyOf,
    parts: ['time'],
  });
  const last = await showLast(
    ctx,
    page.list.flatMap(({ conversationId, lastSeq }) =>
      conversationId === null ? [] : [{ conversationId, seq: lastSeq }],
    ),
    await listBlocked(ctx.db, viewer.id),
  );
  return mapPage(page, (door) => toRoomTalk(door, last.get(door.conversationId ?? '') ?? null));
}

export const listRoom = (ctx: Ctx, viewer: Viewer, query: z.output<typeof calls.listRoom.input>) =>
  query.essayId === undefined
    ? listRoomTalks(ctx, viewer, query)
    : readRoom(ctx, viewer, query.essayId, query);
