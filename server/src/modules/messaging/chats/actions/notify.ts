import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { recordTrend } from '../../../accounts/activity/index.ts';
import { type NewNotice, notify } from '../../../accounts/users/index.ts';
import { essayPathOf } from '../../../content/essays/index.ts';
import { lockMessage, type MessageDetails } from '../queries/messages.ts';
import { listRoomAccess, type RoomAccess } from '../queries/room-access.ts';
import { canReadRoom } from '../rules/chats.ts';
import { excerptOf } from '../views/chats.ts';

/** A message that was just stored, and the time of the sender's previous one in the conversation. */
export interface SentMessage {
  row: MessageDetails;
  previousSentAt: Date | null;
}

/** The first message of a day records the trend. */
const isFirstToday = ({ previousSentAt }: SentMessage, now: Date): boolean =>
  previousSentAt === null || chinaDayOf(previousSentAt) !== chinaDayOf(now);

/** Runs after the message is committed, so that its lock is short; sends no notice while older messages are unread. */
export async function notifyPair(
  ctx: Ctx,
  viewer: Viewer,
  otherId: string,
  sent: SentMessage & { hadUnread: boolean; isReply: boolean },
): Promise<void> {
  const isFirst = isFirstToday(sent, ctx.now);
  if (sent.hadUnread && !isFirst) return;
  const { message } = sent.row;
  await inTransaction(ctx, async (ctx) => {
    if (isFirst)
      await recordTrend(ctx, {
        userId: viewer.id,
        type: sent.isReply ? TREND_TYPE.chatReply : TREND_TYPE.chat,
        targetKind: 'home',
        targetId: otherId,
      });
    // The message may have been recalled meanwhile.
    if (!sent.hadUnread && (await lockMessage(ctx.db, message)))
      await notify(ctx, {
        userId: otherId,
        kind: 'message',
        actorId: viewer.id,
        text: '给你发来私聊消息',
        target: {
          id: message.conversationId,
          title: '',
          url: `/account/center.html?tab=chat&user=${viewer.id}`,
        },
        excerpt: excerptOf(message),
      });
  });
}

/** Returns a notice for the user whose message was replied to, if they may still read the room. */
async function createReplyNotice(
  ctx: Ctx,
  essay: RoomAccess['essay'],
  { message, replied }: MessageDetails,
): Promise<NewNotice | null> {
  const userId = replied?.fromId ?? null;
  if (userId === null || message.fromId === null || userId === message.fromId) return null;
  const [access] = await listRoomAccess(ctx.db, userId, [essay.id]);
  if (access === undefined || !canReadRoom(access, ctx.now)) return null;
  return {
    userId,
    kind: 'message',
    actorId: message.fromId,
    text: '在《》的群聊中回复了你',
    target: { id: message.conversationId, title: essay.title, url: `${essayPathOf(essay)}#chat` },
    excerpt: excerptOf(message),
  };
}

export async function notifyRoom(ctx: Ctx, essay: RoomAccess['essay'], sent: SentMessage): Promise<void> {
  const { message } = sent.row;
  const notice = await createReplyNotice(ctx, essay, sent.row);
  const isFirst = isFirstToday(sent, ctx.now);
  if (message.fromId === null || (notice === null && !isFirst)) return;
  const trend = {
    userId: message.fromId,
    type: message.replyToSeq === null ? TREND_TYPE.room : TREND_TYPE.roomReply,
    targetKind: 'essay',
    targetId: essay.id,
  } as const;
  await inTransaction(ctx, async (ctx) => {
    if (isFirst) await recordTrend(ctx, trend);
    // The message may have been removed meanwhile.
    if (notice !== null && (await lockMessage(ctx.db, message))) await notify(ctx, notice);
  });
}
