import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { recordTrend } from '../../../accounts/activity/index.ts';
import { type NewNotice, notify } from '../../../accounts/users/index.ts';
import { type Door, listDoors } from '../queries/doors.ts';
import { holdMessage, type SaidRow } from '../queries/messages.ts';
import { isWelcome } from '../rules/chats.ts';
import { excerptOf } from '../views/chats.ts';

/** What was just said, and when whoever said it spoke there before. */
export interface Said {
  row: SaidRow;
  saidBefore: Date | null;
}

/** A trend is told once a day, by the first word. */
const isFirstToday = ({ saidBefore }: Said, now: Date): boolean =>
  saidBefore === null || dayOf(saidBefore) !== dayOf(now);

/** After it was said, so that nobody waits for it: the other is told, unless something of it waits to be read anyway. */
export async function tellPair(
  ctx: Ctx,
  viewer: Viewer,
  otherId: string,
  said: Said & { hadUnread: boolean; isAnswer: boolean },
): Promise<void> {
  const isFirst = isFirstToday(said, ctx.now);
  if (said.hadUnread && !isFirst) return;
  const { message } = said.row;
  await inTx(ctx, async (ctx) => {
    if (isFirst)
      await recordTrend(ctx, {
        userId: viewer.id,
        type: said.isAnswer ? TREND_TYPE.chatReply : TREND_TYPE.chat,
        targetKind: 'home',
        targetId: otherId,
      });
    // It may have been taken back since.
    if (!said.hadUnread && (await holdMessage(ctx.db, message)))
      await notify(ctx, {
        userId: otherId,
        kind: 'message',
        actorId: viewer.id,
        text: '给你发来私聊',
        target: {
          id: message.conversationId,
          title: '',
          url: `/account/center.html?tab=chat&user=${viewer.id}`,
        },
        excerpt: excerptOf(message),
      });
  });
}

/** Whoever is answered in a room is told, while they may read there. */
async function noticeOf(
  ctx: Ctx,
  essay: Door['essay'],
  { message, replied }: SaidRow,
): Promise<NewNotice | null> {
  const userId = replied?.fromId ?? null;
  if (userId === null || message.fromId === null || userId === message.fromId) return null;
  const [door] = await listDoors(ctx.db, userId, [essay.id]);
  if (door === undefined || !isWelcome(door, ctx.now)) return null;
  return {
    userId,
    kind: 'message',
    actorId: message.fromId,
    text: '在《》的群聊中回复了你',
    target: { id: message.conversationId, title: essay.title, url: `/essay/detail/${essay.id}.html#chat` },
    excerpt: excerptOf(message),
  };
}

export async function tellRoom(ctx: Ctx, essay: Door['essay'], said: Said): Promise<void> {
  const { message } = said.row;
  const notice = await noticeOf(ctx, essay, said.row);
  const isFirst = isFirstToday(said, ctx.now);
  if (message.fromId === null || (notice === null && !isFirst)) return;
  const trend = {
    userId: message.fromId,
    type: message.replyToSeq === null ? TREND_TYPE.room : TREND_TYPE.roomReply,
    targetKind: 'essay',
    targetId: essay.id,
  } as const;
  await inTx(ctx, async (ctx) => {
    if (isFirst) await recordTrend(ctx, trend);
    // It may have been taken away since.
    if (notice !== null && (await holdMessage(ctx.db, message))) await notify(ctx, notice);
  });
}
