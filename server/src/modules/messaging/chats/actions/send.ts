import type * as calls from '@mozhan/contract/chats.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared as Rest, whole } from '../../../../prepared.ts';
import { findPhoneRefusal, getUser, requirePhone } from '../../../accounts/users/index.ts';
import type { Door } from '../queries/doors.ts';
import * as queries from '../queries/messages.ts';
import type { CardUser } from '../queries/people.ts';
import { findPair, lockPair, makeRoom } from '../queries/talks.ts';
import { silenceOf, tokensOf } from '../rules/chats.ts';
import { enter } from './access.ts';
import { checkContact, countContact } from './contacts.ts';
import { pushTalksAfterCommit } from './counts.ts';
import { type Body, type Draft, prepareBody } from './prepare.ts';
import { showMessages } from './show.ts';
import { type Said, tellPair, tellRoom } from './tell.ts';

/** What it answers, in a room. */
type Answered = queries.SaidRow | null;

/** A message that was said before under the same number, which must have been the same. */
function requireSame(first: queries.SaidRow, draft: Draft, answered: Answered): queries.SaidRow {
  const { kind, content, replyToSeq, removedAt } = first.message;
  const isSame =
    kind === draft.kind && content === draft.content && replyToSeq === (answered?.message.seq ?? null);
  // Of what was taken back nothing is left to compare.
  if (!isSame && removedAt === null) throw new CallError('CLIENT_ID_REUSED');
  return first;
}

/** Says it; null: it was said before. */
async function say(
  ctx: Ctx,
  from: CardUser,
  {
    body,
    conversationId,
    clientId,
    answered,
  }: { body: Body; conversationId: string; clientId: string; answered: Answered },
): Promise<Said | null> {
  const { folded, ...shown } = body;
  const message = {
    ...shown,
    conversationId,
    id: newId(),
    clientId,
    fromId: from.id,
    replyToSeq: answered?.message.seq ?? null,
    createdAt: ctx.now,
  };
  const said = await queries.say(ctx.db, { ...message, folded, tokens: tokensOf(conversationId, folded) });
  if (said === null) return null;
  return {
    row: {
      message: { ...message, seq: said.seq, removedAt: null, removedBy: null },
      from,
      replied: answered?.message ?? null,
      answered: answered?.from ?? null,
    },
    saidBefore: said.saidBefore,
  };
}

const show = async (ctx: Ctx, row: queries.SaidRow): Promise<ChatMessage> => {
  const [message] = await showMessages(ctx, [row]);
  if (message === undefined) throw queries.noMessage();
  return message;
};

/** To both, each by the other's name. */
function deliver(ctx: Ctx, viewer: Viewer, toUserId: string, message: ChatMessage): void {
  const { live } = ctx.services;
  afterCommit(ctx, () => {
    live.toUser(toUserId, 'chat', { talk: { userId: viewer.id }, message });
    live.toUser(viewer.id, 'chat', { talk: { userId: toUserId }, message });
  });
  pushTalksAfterCommit(ctx, toUserId);
}

export async function prepareChat(
  ctx: Ctx,
  viewer: Viewer,
  { toUserId, clientId, ...draft }: z.output<typeof calls.sendChat.input>,
): Promise<Rest<ChatMessage>> {
  const pair = await findPair(ctx.db, viewer.id, toUserId);
  const key = (conversationId: string) => ({ fromId: viewer.id, conversationId, clientId });
  const before = pair && (await queries.findByClient(ctx.db, key(pair.conversation.id)));
  // Delivered once more: the process that stored it may have died before it could.
  const repeat = async (ctx: Ctx, first: queries.SaidRow) => {
    const message = await show(ctx, requireSame(first, draft, null));
    deliver(ctx, viewer, toUserId, message);
    return message;
  };
  if (before !== null) return (ctx) => inTx(ctx, (ctx) => repeat(ctx, before));
  await requirePhone(ctx, viewer);
  await checkContact(ctx, viewer.id, toUserId);
  const body = await prepareBody(ctx, viewer, draft, 'covered');
  const from = await getUser(ctx.db, viewer.id);
  return async (ctx) => {
    const told = await inTx(ctx, async (ctx) => {
      const people = { fromId: viewer.id, toId: toUserId };
      const { id: conversationId, startedBy } = await lockPair(ctx.db, { ...people, now: ctx.now });
      const first = await queries.findByClient(ctx.db, key(conversationId));
      if (first !== null) return { message: await repeat(ctx, first), said: null };
      await countContact(ctx, viewer.id, toUserId);
      const standing = await findPair(ctx.db, viewer.id, toUserId);
      const after = standing?.otherReadSeq ?? 0;
      const hadUnread = await queries.hasSaid(ctx.db, { conversationId, fromId: viewer.id, after });
      const said = await say(ctx, from, { body, conversationId, clientId, answered: null });
      if (said === null) throw queries.noMessage();
      const message = await show(ctx, said.row);
      deliver(ctx, viewer, toUserId, message);
      return { message, said: { ...said, hadUnread, isAnswer: startedBy !== viewer.id } };
    });
    if (told.said !== null) await tellPair(ctx, viewer, toUserId, told.said);
    return told.message;
  };
}

/** Something that was said in this room. */
async function findAnswered(ctx: Ctx, door: Door, id: string | undefined): Promise<Answered> {
  const row = id === undefined ? null : await queries.findSaid(ctx.db, id);
  return row?.message.conversationId === door.conversationId ? row : null;
}

export async function prepareRoomMessage(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, clientId, replyToId, ...draft }: z.output<typeof calls.sendToRoom.input>,
): Promise<Rest<ChatMessage>> {
  const door = await enter(ctx, viewer, essayId);
  const key = (conversationId: string) => ({ fromId: viewer.id, conversationId, clientId });
  const answered = await findAnswered(ctx, door, replyToId);
  const isLost = replyToId !== undefined && (answered === null || answered.message.removedAt !== null);
  const refusal =
    silenceOf(door, ctx.now) ??
    (isLost ? invalid('replyToId', '要回复的消息已经不在了') : await findPhoneRefusal(ctx, viewer));
  if (refusal !== null) {
    // What was said before that is answered as it was.
    const before = door.conversationId && (await queries.findByClient(ctx.db, key(door.conversationId)));
    if (!before) throw refusal;
    return (ctx) => show(ctx, requireSame(before, draft, answered));
  }
  const body = await prepareBody(ctx, viewer, draft, 'refused');
  // Which may have taken a while: whoever was put out or muted meanwhile is silent at once.
  const silence = silenceOf(await enter(ctx, viewer, essayId), ctx.now);
  if (silence !== null) throw silence;
  return async (ctx) => {
    const { essay } = door;
    const conversationId =
      door.conversationId ??
      (await inTx(ctx, (ctx) => makeRoom(ctx.db, { essayId, authorId: essay.authorId, now: ctx.now })));
    // One statement, which is a transaction of its own: a busy room waits for no more than that.
    const said = await say(ctx, door.user, { body, conversationId, clientId, answered });
    const row = said?.row ?? (await queries.findByClient(ctx.db, key(conversationId)));
    if (row === null) throw queries.noMessage();
    const message = await show(ctx, requireSame(row, draft, answered));
    // A repeat, too: the process that stored it may have died before it could.
    const send = () => ctx.services.live.toRoom(essayId, 'chat', { talk: { essayId }, message });
    if (ctx.effects === null) send();
    else afterCommit(ctx, send);
    if (said !== null) await tellRoom(ctx, essay, said);
    return message;
  };
}

export const sendChat = whole(prepareChat);
export const sendToRoom = whole(prepareRoomMessage);
