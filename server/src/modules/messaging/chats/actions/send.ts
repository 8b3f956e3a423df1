import type * as calls from '@mozhan/contract/chats.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { getPhoneRequirementError, getUser, requirePhone } from '../../../accounts/users/index.ts';
import { ensureRoom, findPair, lockPair } from '../queries/conversations.ts';
import * as queries from '../queries/messages.ts';
import type { RoomAccess } from '../queries/room-access.ts';
import type { CardUser } from '../queries/users.ts';
import { getMuteError, toSearchTokens } from '../rules/chats.ts';
import { requireRoomAccess } from './access.ts';
import { checkContact, countContactMessage } from './contacts.ts';
import { pushConversationCountsAfterCommit } from './counts.ts';
import { loadMessageViews } from './message-views.ts';
import { notifyPair, notifyRoom, type SentMessage } from './notify.ts';
import { type MessageDraft, type PreparedBody, prepareBody } from './prepare.ts';

type RepliedTo = queries.MessageDetails | null;

/** Returns the message that was stored before with the same `clientId`; throws when its content differs. */
function requireSameContent(
  first: queries.MessageDetails,
  draft: MessageDraft,
  repliedTo: RepliedTo,
): queries.MessageDetails {
  const { kind, content, replyToSeq, removedAt } = first.message;
  const isSame =
    kind === draft.kind && content === draft.content && replyToSeq === (repliedTo?.message.seq ?? null);
  // A recalled message has no content left to compare.
  if (!isSame && removedAt === null) throw new CallError('CLIENT_ID_REUSED');
  return first;
}

/** Stores a message; returns null when the `clientId` is a repeat. */
async function storeMessage(
  ctx: Ctx,
  from: CardUser,
  {
    body,
    conversationId,
    clientId,
    repliedTo,
  }: { body: PreparedBody; conversationId: string; clientId: string; repliedTo: RepliedTo },
): Promise<SentMessage | null> {
  const { folded, ...fields } = body;
  const message = {
    ...fields,
    conversationId,
    id: newId(),
    clientId,
    fromId: from.id,
    replyToSeq: repliedTo?.message.seq ?? null,
    createdAt: ctx.now,
  };
  const inserted = await queries.insertMessage(ctx.db, {
    ...message,
    folded,
    tokens: toSearchTokens(conversationId, folded),
  });
  if (inserted === null) return null;
  return {
    row: {
      message: { ...message, seq: inserted.seq, removedAt: null, removedBy: null },
      from,
      replied: repliedTo?.message ?? null,
      repliedUser: repliedTo?.from ?? null,
    },
    previousSentAt: inserted.previousSentAt,
  };
}

const toMessageView = async (ctx: Ctx, row: queries.MessageDetails): Promise<ChatMessage> => {
  const [message] = await loadMessageViews(ctx, [row]);
  if (message === undefined) throw queries.messageNotFound();
  return message;
};

/** Sends the message to both users; for each the conversation is identified by the other user. */
function deliver(ctx: Ctx, viewer: Viewer, toUserId: string, message: ChatMessage): void {
  const { live } = ctx.services;
  afterCommit(ctx, () => {
    live.emitToUser(toUserId, 'chat', { talk: { userId: viewer.id }, message });
    live.emitToUser(viewer.id, 'chat', { talk: { userId: toUserId }, message });
  });
  pushConversationCountsAfterCommit(ctx, toUserId);
}

export async function prepareChat(
  ctx: Ctx,
  viewer: Viewer,
  { toUserId, clientId, ...draft }: z.output<typeof calls.sendChat.input>,
): Promise<Prepared<ChatMessage>> {
  const pair = await findPair(ctx.db, viewer.id, toUserId);
  const key = (conversationId: string) => ({ fromId: viewer.id, conversationId, clientId });
  const before = pair && (await queries.findByClientId(ctx.db, key(pair.conversation.id)));
  // A repeat is delivered again: the process that stored the message may have died before delivering it.
  const repeat = async (ctx: Ctx, first: queries.MessageDetails) => {
    const message = await toMessageView(ctx, requireSameContent(first, draft, null));
    deliver(ctx, viewer, toUserId, message);
    return message;
  };
  if (before !== null) return (ctx) => inTransaction(ctx, (ctx) => repeat(ctx, before));
  await requirePhone(ctx, viewer);
  await checkContact(ctx, viewer.id, toUserId);
  const body = await prepareBody(ctx, viewer, draft, 'mask');
  const from = await getUser(ctx.db, viewer.id);
  return async (ctx) => {
    const result = await inTransaction(ctx, async (ctx) => {
      const userIds = { fromId: viewer.id, toId: toUserId };
      const { id: conversationId, startedBy } = await lockPair(ctx.db, { ...userIds, now: ctx.now });
      const first = await queries.findByClientId(ctx.db, key(conversationId));
      if (first !== null) return { message: await repeat(ctx, first), sent: null };
      await countContactMessage(ctx, viewer.id, toUserId);
      const pairState = await findPair(ctx.db, viewer.id, toUserId);
      const after = pairState?.otherReadSeq ?? 0;
      const hadUnread = await queries.hasMessageFrom(ctx.db, { conversationId, fromId: viewer.id, after });
      const sent = await storeMessage(ctx, from, { body, conversationId, clientId, repliedTo: null });
      if (sent === null) throw queries.messageNotFound();
      const message = await toMessageView(ctx, sent.row);
      deliver(ctx, viewer, toUserId, message);
      return { message, sent: { ...sent, hadUnread, isReply: startedBy !== viewer.id } };
    });
    if (result.sent !== null) await notifyPair(ctx, viewer, toUserId, result.sent);
    return result.message;
  };
}

/** Returns null unless the message belongs to this room. */
async function findRepliedTo(ctx: Ctx, access: RoomAccess, id: string | undefined): Promise<RepliedTo> {
  const row = id === undefined ? null : await queries.findMessage(ctx.db, id);
  return row?.message.conversationId === access.conversationId ? row : null;
}

export async function prepareRoomMessage(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, clientId, replyToId, ...draft }: z.output<typeof calls.sendToRoom.input>,
): Promise<Prepared<ChatMessage>> {
  const access = await requireRoomAccess(ctx, viewer, essayId);
  const key = (conversationId: string) => ({ fromId: viewer.id, conversationId, clientId });
  const repliedTo = await findRepliedTo(ctx, access, replyToId);
  const isParentMissing =
    replyToId !== undefined && (repliedTo === null || repliedTo.message.removedAt !== null);
  const error =
    getMuteError(access, ctx.now) ??
    (isParentMissing
      ? invalidField('replyToId', '要回复的消息已经不在了')
      : await getPhoneRequirementError(ctx, viewer));
  if (error !== null) {
    // A retry of a message that was stored before the viewer lost the right to write still succeeds.
    const before =
      access.conversationId && (await queries.findByClientId(ctx.db, key(access.conversationId)));
    if (!before) throw error;
    return (ctx) => toMessageView(ctx, requireSameContent(before, draft, repliedTo));
  }
  const body = await prepareBody(ctx, viewer, draft, 'refuse');
  // Preparing takes time: the viewer may have lost access or been muted meanwhile.
  const muteError = getMuteError(await requireRoomAccess(ctx, viewer, essayId), ctx.now);
  if (muteError !== null) throw muteError;
  return async (ctx) => {
    const { essay } = access;
    const conversationId =
      access.conversationId ??
      (await inTransaction(ctx, (ctx) =>
        ensureRoom(ctx.db, { essayId, authorId: essay.authorId, now: ctx.now }),
      ));
    // A single statement without a surrounding transaction keeps the lock on a busy room short.
    const sent = await storeMessage(ctx, access.user, { body, conversationId, clientId, repliedTo });
    const row = sent?.row ?? (await queries.findByClientId(ctx.db, key(conversationId)));
    if (row === null) throw queries.messageNotFound();
    const message = await toMessageView(ctx, requireSameContent(row, draft, repliedTo));
    // A repeat is delivered too: the process that stored the message may have died before delivering it.
    const send = () => ctx.services.live.emitToRoom(essayId, 'chat', { talk: { essayId }, message });
    if (ctx.effects === null) send();
    else afterCommit(ctx, send);
    if (sent !== null) await notifyRoom(ctx, essay, sent);
    return message;
  };
}

export const sendChat = prepareThenRun(prepareChat);
export const sendToRoom = prepareThenRun(prepareRoomMessage);
