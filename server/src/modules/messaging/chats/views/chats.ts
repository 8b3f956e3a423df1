import type { ChatMessage, Conversation } from '@mozhan/contract/chats.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { withBasePath } from '../../../content/essays/index.ts';
import { startOf, toPlainText } from '../../../platform/text/index.ts';
import type { PairRow } from '../queries/conversations.ts';
import type { MessageDetails } from '../queries/messages.ts';
import type { RoomAccess } from '../queries/room-access.ts';
import type { CardUser } from '../queries/users.ts';
import type { MessageRow } from '../tables.ts';

const MAX_EXCERPT_LENGTH = 100;

export interface ChatEssayCard {
  id: string;
  title: string;
  author: string;
  cover: string;
  thumb: string;
  readMinutes: number;
}

export interface MessageContext {
  cards: ReadonlyMap<string, ChatEssayCard>;
  /** Users whom the viewer has blocked; their messages are shown as tombstones. */
  blocked: ReadonlySet<string>;
}

export function excerptOf({ kind, html }: Pick<MessageRow, 'kind' | 'html'>): string {
  if (kind === 'image') return '[图片]';
  if (kind === 'essay') return '[文章]';
  return startOf(toPlainText(html), MAX_EXCERPT_LENGTH);
}

const isHidden = (
  { fromId, removedAt }: Pick<MessageRow, 'fromId' | 'removedAt'>,
  { blocked }: MessageContext,
) => removedAt !== null || (fromId !== null && blocked.has(fromId));

function toReplyTo(
  { replied, repliedUser }: MessageDetails,
  context: MessageContext,
): ChatMessage['replyTo'] {
  if (replied === null) return null;
  return {
    seq: replied.seq,
    name: repliedUser?.displayName ?? '已注销的用户',
    excerpt: isHidden(replied, context) ? '' : excerptOf(replied),
  };
}

function toEssayView(card: ChatEssayCard | undefined): ChatMessage['essay'] {
  if (card === undefined) return null;
  const { id, title, author, cover, thumb, readMinutes } = card;
  return {
    id,
    title,
    author,
    cover: cover === '' ? null : { url: cover, thumbUrl: thumb },
    readMinutes,
  };
}

export function toChatMessage(ctx: Ctx, row: MessageDetails, context: MessageContext): ChatMessage {
  const { id, seq, clientId, kind, content, masked, html, image, createdAt } = row.message;
  const common = {
    id,
    seq,
    clientId,
    from: row.from === null ? null : toUserCard(row.from, ctx.now),
    kind,
    createdAt: createdAt.toISOString(),
  };
  if (isHidden(row.message, context))
    return { ...common, content: '', html: '', image: null, essay: null, replyTo: null, removed: true };
  return {
    ...common,
    content: masked ?? content,
    html: withBasePath(html, ctx.services.config),
    image: image && {
      url: image.path,
      thumbUrl: image.thumbPath,
      width: image.width,
      height: image.height,
    },
    essay: kind === 'essay' ? toEssayView(context.cards.get(content)) : null,
    replyTo: toReplyTo(row, context),
    removed: false,
  };
}

export const toPairConversation = (
  ctx: Ctx,
  { other, lastSeq, readSeq, listedAt }: PairRow,
  last: ChatMessage | null,
): Conversation => ({
  user: toUserCard(other, ctx.now),
  essay: null,
  last,
  lastSeq,
  readSeq,
  unread: lastSeq - readSeq,
  updatedAt: listedAt.toISOString(),
});

export const toRoomConversation = (
  { essay, lastSeq, readSeq, updatedAt }: RoomAccess,
  last: ChatMessage | null,
): Conversation => ({
  user: null,
  essay: { id: essay.id, title: essay.title },
  last,
  lastSeq,
  readSeq,
  unread: lastSeq - readSeq,
  updatedAt: updatedAt.toISOString(),
});

export const toMutedMember = (ctx: Ctx, { user, mutedUntil }: { user: CardUser; mutedUntil: Date }) => ({
  ...toUserCard(user, ctx.now),
  mutedUntil: mutedUntil.toISOString(),
});
