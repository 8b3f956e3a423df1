import type * as calls from '@mozhan/contract/chats.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { ConversationKey } from '@mozhan/contract/live.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { getUser, removeNotices } from '../../../accounts/users/index.ts';
import { getReadableEssay } from '../../../content/essays/index.ts';
import type { EssayRow } from '../../../content/essays/tables.ts';
import * as conversations from '../queries/conversations.ts';
import { findMessage, type MessageDetails, messageNotFound, removeMessage } from '../queries/messages.ts';
import { listRoomAccess } from '../queries/room-access.ts';
import { getRoomAccessError, isModerator, isRecallExpired } from '../rules/chats.ts';
import type { ConversationRow } from '../tables.ts';
import { toChatMessage, toMutedMember } from '../views/chats.ts';

async function getMessage(ctx: Ctx, id: string): Promise<MessageDetails & { conversation: ConversationRow }> {
  const row = await findMessage(ctx.db, id);
  const conversation = row && (await conversations.findConversation(ctx.db, row.message.conversationId));
  if (row === null || conversation === null) throw messageNotFound();
  return { ...row, conversation };
}

const emptyContext = { cards: new Map(), blocked: new Set<string>() };

/** Removes a message, deletes the notice about it and sends the empty tombstone to open pages. */
function removeAndPublish(
  ctx: Ctx,
  viewer: Viewer,
  row: MessageDetails,
  {
    notifiedId,
    send,
  }: { notifiedId: string | null; send: (message: ReturnType<typeof toChatMessage>) => void },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { message } = row;
    const by = { by: viewer.id, now: ctx.now, isErased: viewer.id === message.fromId };
    if (!(await removeMessage(ctx.db, message, by))) return;
    if (notifiedId !== null && message.fromId !== null) {
      const { fromId: actorId, conversationId: targetId } = message;
      await removeNotices(ctx, [{ userId: notifiedId, kind: 'message', actorId, targetId }]);
    }
    const tombstone = toChatMessage(
      ctx,
      { ...row, message: { ...message, removedAt: ctx.now } },
      emptyContext,
    );
    afterCommit(ctx, () => send(tombstone));
  });
}

/** Only the sender may recall a message of a pair; users outside the pair get NOT_FOUND. */
export async function recallChat(ctx: Ctx, viewer: Viewer, { id }: z.output<typeof calls.recallChat.input>) {
  const { conversation, ...row } = await getMessage(ctx, id);
  const { userA, userB } = conversation;
  if (userA === null || userB === null || (viewer.id !== userA && viewer.id !== userB))
    throw messageNotFound();
  if (row.message.fromId !== viewer.id) throw new CallError('FORBIDDEN', { message: '只能撤回自己的消息' });
  if (row.message.removedAt !== null) return;
  if (isRecallExpired(row.message, ctx.now)) throw new CallError('RECALL_TOO_LATE');
  const otherId = userA === viewer.id ? userB : userA;
  const publish = (userId: string, talk: ConversationKey, message: ReturnType<typeof toChatMessage>) =>
    ctx.services.live.emitToUser(userId, 'chat', { talk, message });
  await removeAndPublish(ctx, viewer, row, {
    notifiedId: otherId,
    send: (message) => {
      publish(otherId, { userId: viewer.id }, message);
      publish(viewer.id, { userId: otherId }, message);
    },
  });
}

/** Allowed for the sender within a time limit, for the essay's author, and for staff, whose removal is logged. */
export async function removeFromRoom(
  ctx: Ctx,
  viewer: Viewer,
  { id }: z.output<typeof calls.removeFromRoom.input>,
): Promise<void> {
  const { conversation, ...row } = await getMessage(ctx, id);
  const { essayId } = conversation;
  if (essayId === null) throw messageNotFound();
  const [access] = await listRoomAccess(ctx.db, viewer.id, [essayId]);
  const { message } = row;
  const isOwn = message.fromId === viewer.id;
  const isAuthor = access?.essay.authorId === viewer.id;
  if (!isOwn && !isAuthor && !isModerator(viewer))
    throw getRoomAccessError(viewer, access, ctx.now) === null
      ? new CallError('FORBIDDEN', { message: '只有作者和工作人员可以移除别人的消息' })
      : messageNotFound();
  if (message.removedAt !== null) return;
  if (isOwn && !isAuthor && !isModerator(viewer) && isRecallExpired(message, ctx.now))
    throw new CallError('RECALL_TOO_LATE');
  const remove = (ctx: Ctx) =>
    removeAndPublish(ctx, viewer, row, {
      notifiedId: row.replied?.fromId ?? null,
      send: (tombstone) =>
        ctx.services.live.emitToRoom(essayId, 'chat', { talk: { essayId }, message: tombstone }),
    });
  if (isOwn || isAuthor) return remove(ctx);
  const call = { call: 'DELETE core/essay/group/chat', summary: '移除群聊消息', input: { id } };
  await withOperationLog(ctx, call, async (ctx) => {
    await remove(ctx);
    const { fromId, content } = message;
    logChange(ctx, `chat:${id}`, { fromId, content, removed: false }, { fromId, content, removed: true });
  });
}

async function requireAuthor(ctx: Ctx, viewer: Viewer, essayId: string): Promise<EssayRow> {
  const { essay } = await getReadableEssay(ctx, essayId);
  if (essay.authorId !== viewer.id)
    throw new CallError('FORBIDDEN', { message: '只有文章的作者可以管理群聊' });
  return essay;
}

export async function muteInRoom(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, userId, minutes }: z.output<typeof calls.muteInRoom.input>,
): Promise<{ mutedUntil: string | null }> {
  const { authorId } = await requireAuthor(ctx, viewer, essayId);
  if (userId === viewer.id) throw new CallError('MESSAGE_SELF', { message: '不能禁言自己' });
  await getUser(ctx.db, userId);
  const mutedUntil = minutes === 0 ? null : new Date(ctx.now.getTime() + minutes * 60_000);
  const mute = { essayId, mutedUntil: mutedUntil?.toISOString() ?? null };
  await inTransaction(ctx, async (ctx) => {
    const conversationId = await conversations.ensureRoom(ctx.db, { essayId, authorId, now: ctx.now });
    await conversations.updateMutedUntil(ctx.db, { conversationId, userId, mutedUntil, now: ctx.now });
    afterCommit(ctx, () => ctx.services.live.emitToUser(userId, 'muted', mute));
  });
  return { mutedUntil: mute.mutedUntil };
}

export async function listMutedUsers(ctx: Ctx, viewer: Viewer, essayId: string) {
  await requireAuthor(ctx, viewer, essayId);
  const [access] = await listRoomAccess(ctx.db, viewer.id, [essayId]);
  const id = access?.conversationId ?? null;
  const rows = id === null ? [] : await conversations.listMutedMembers(ctx.db, id, ctx.now);
  return { list: rows.map((row) => toMutedMember(ctx, row)) };
}
