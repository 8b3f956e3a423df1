import type * as calls from '@mozhan/contract/chats.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { TalkKey } from '@mozhan/contract/live.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, changed, inTx, type Viewer } from '../../../../ctx.ts';
import { logged } from '../../../accounts/access/index.ts';
import { forgetNotices, getUser } from '../../../accounts/users/index.ts';
import { getReadable } from '../../../content/essays/index.ts';
import type { EssayRow } from '../../../content/essays/tables.ts';
import { listDoors } from '../queries/doors.ts';
import { findSaid, noMessage, removeMessage, type SaidRow } from '../queries/messages.ts';
import * as talks from '../queries/talks.ts';
import { isModerator, isTooLate, refusalOf } from '../rules/chats.ts';
import type { ConversationRow } from '../tables.ts';
import { toChatMessage, toMuted } from '../views/chats.ts';

async function getSaid(ctx: Ctx, id: string): Promise<SaidRow & { conversation: ConversationRow }> {
  const row = await findSaid(ctx.db, id);
  const conversation = row && (await talks.findConversation(ctx.db, row.message.conversationId));
  if (row === null || conversation === null) throw noMessage();
  return { ...row, conversation };
}

const nothing = { cards: new Map(), blocked: new Set<string>() };

/** Its place is left, with nothing in it, here and wherever it is shown. */
function takeAway(
  ctx: Ctx,
  viewer: Viewer,
  row: SaidRow,
  { toldId, send }: { toldId: string | null; send: (message: ReturnType<typeof toChatMessage>) => void },
): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { message } = row;
    const by = { by: viewer.id, now: ctx.now, isErased: viewer.id === message.fromId };
    if (!(await removeMessage(ctx.db, message, by))) return;
    if (toldId !== null && message.fromId !== null) {
      const { fromId: actorId, conversationId: targetId } = message;
      await forgetNotices(ctx, [{ userId: toldId, kind: 'message', actorId, targetId }]);
    }
    const place = toChatMessage(ctx, { ...row, message: { ...message, removedAt: ctx.now } }, nothing);
    afterCommit(ctx, () => send(place));
  });
}

/** A message between two is only its sender's to take back; to others it is not there. */
export async function recallChat(ctx: Ctx, viewer: Viewer, { id }: z.output<typeof calls.recallChat.input>) {
  const { conversation, ...row } = await getSaid(ctx, id);
  const { userA, userB } = conversation;
  if (userA === null || userB === null || (viewer.id !== userA && viewer.id !== userB)) throw noMessage();
  if (row.message.fromId !== viewer.id) throw new CallError('FORBIDDEN', { message: '只能撤回自己的消息' });
  if (row.message.removedAt !== null) return;
  if (isTooLate(row.message, ctx.now)) throw new CallError('RECALL_TOO_LATE');
  const otherId = userA === viewer.id ? userB : userA;
  const tell = (userId: string, talk: TalkKey, message: ReturnType<typeof toChatMessage>) =>
    ctx.services.live.toUser(userId, 'chat', { talk, message });
  await takeAway(ctx, viewer, row, {
    toldId: otherId,
    send: (message) => {
      tell(otherId, { userId: viewer.id }, message);
      tell(viewer.id, { userId: otherId }, message);
    },
  });
}

/** By its sender for a while, by the essay's author, and by staff, whose doing is logged. */
export async function removeFromRoom(
  ctx: Ctx,
  viewer: Viewer,
  { id }: z.output<typeof calls.removeFromRoom.input>,
): Promise<void> {
  const { conversation, ...row } = await getSaid(ctx, id);
  const { essayId } = conversation;
  if (essayId === null) throw noMessage();
  const [door] = await listDoors(ctx.db, viewer.id, [essayId]);
  const { message } = row;
  const isOwn = message.fromId === viewer.id;
  const isAuthor = door?.essay.authorId === viewer.id;
  if (!isOwn && !isAuthor && !isModerator(viewer))
    throw refusalOf(viewer, door, ctx.now) === null
      ? new CallError('FORBIDDEN', { message: '只有作者和工作人员可以移除别人的消息' })
      : noMessage();
  if (message.removedAt !== null) return;
  if (isOwn && !isAuthor && !isModerator(viewer) && isTooLate(message, ctx.now))
    throw new CallError('RECALL_TOO_LATE');
  const remove = (ctx: Ctx) =>
    takeAway(ctx, viewer, row, {
      toldId: row.replied?.fromId ?? null,
      send: (place) => ctx.services.live.toRoom(essayId, 'chat', { talk: { essayId }, message: place }),
    });
  if (isOwn || isAuthor) return remove(ctx);
  const call = { call: 'DELETE core/essay/group/chat', summary: '移除群聊消息', input: { id } };
  await logged(ctx, call, async (ctx) => {
    await remove(ctx);
    const { fromId, content } = message;
    changed(ctx, `chat:${id}`, { fromId, content, removed: false }, { fromId, content, removed: true });
  });
}

async function requireAuthor(ctx: Ctx, viewer: Viewer, essayId: string): Promise<EssayRow> {
  const { essay } = await getReadable(ctx, essayId);
  if (essay.authorId !== viewer.id)
    throw new CallError('FORBIDDEN', { message: '只有文章的作者可以管理群聊' });
  return essay;
}

/** Whoever is muted may listen. */
export async function muteInRoom(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, userId, minutes }: z.output<typeof calls.muteInRoom.input>,
): Promise<{ mutedUntil: string | null }> {
  const { authorId } = await requireAuthor(ctx, viewer, essayId);
  if (userId === viewer.id) throw new CallError('MESSAGE_SELF', { message: '不能禁言自己' });
  await getUser(ctx.db, userId);
  const mutedUntil = minutes === 0 ? null : new Date(ctx.now.getTime() + minutes * 60_000);
  await inTx(ctx, async (ctx) => {
    const conversationId = await talks.makeRoom(ctx.db, { essayId, authorId, now: ctx.now });
    await talks.updateMuted(ctx.db, { conversationId, userId, mutedUntil, now: ctx.now });
  });
  return { mutedUntil: mutedUntil?.toISOString() ?? null };
}

export async function listMuted(ctx: Ctx, viewer: Viewer, essayId: string) {
  await requireAuthor(ctx, viewer, essayId);
  const [door] = await listDoors(ctx.db, viewer.id, [essayId]);
  const id = door?.conversationId ?? null;
  const rows = id === null ? [] : await talks.listMuted(ctx.db, id, ctx.now);
  return { list: rows.map((row) => toMuted(ctx, row)) };
}
