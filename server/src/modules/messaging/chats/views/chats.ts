import type { ChatMessage, Talk } from '@mozhan/contract/chats.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { atBase } from '../../../content/essays/index.ts';
import { toPlainText } from '../../../platform/text/index.ts';
import type { Door } from '../queries/doors.ts';
import type { SaidRow } from '../queries/messages.ts';
import type { CardUser } from '../queries/people.ts';
import type { PairRow } from '../queries/talks.ts';
import type { MessageRow } from '../tables.ts';

const EXCERPT = 100;

/** What a card shows of an essay that is on the shelf. */
export interface Card {
  id: string;
  title: string;
  author: string;
  cover: string;
  thumb: string;
  readMinutes: number;
}

/** What is needed around the rows of a list. */
export interface Setting {
  /** By id, those that are named in them. */
  cards: ReadonlyMap<string, Card>;
  /** Whom the viewer does not want to read: of them only the places are shown. */
  blocked: ReadonlySet<string>;
}

/** The beginning of what was said. */
export function excerptOf({ kind, html }: Pick<MessageRow, 'kind' | 'html'>): string {
  if (kind === 'image') return '[图片]';
  if (kind === 'essay') return '[文章]';
  return [...toPlainText(html)].slice(0, EXCERPT).join('');
}

const isHidden = ({ fromId, removedAt }: Pick<MessageRow, 'fromId' | 'removedAt'>, { blocked }: Setting) =>
  removedAt !== null || (fromId !== null && blocked.has(fromId));

function toReplied({ replied, answered }: SaidRow, setting: Setting): ChatMessage['replyTo'] {
  if (replied === null) return null;
  return {
    seq: replied.seq,
    name: answered?.displayName ?? '已注销的用户',
    excerpt: isHidden(replied, setting) ? '' : excerptOf(replied),
  };
}

function toCard(card: Card | undefined): ChatMessage['essay'] {
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

export function toChatMessage(ctx: Ctx, row: SaidRow, setting: Setting): ChatMessage {
  const { id, seq, clientId, kind, content, masked, html, image, createdAt } = row.message;
  const said = {
    id,
    seq,
    clientId,
    from: row.from === null ? null : toUserCard(row.from, ctx.now),
    kind,
    createdAt: createdAt.toISOString(),
  };
  if (isHidden(row.message, setting))
    return { ...said, content: '', html: '', image: null, essay: null, replyTo: null, removed: true };
  return {
    ...said,
    content: masked ?? content,
    html: atBase(html, ctx.services.config),
    image: image && {
      url: image.path,
      thumbUrl: image.thumbPath,
      width: image.width,
      height: image.height,
    },
    essay: kind === 'essay' ? toCard(setting.cards.get(content)) : null,
    replyTo: toReplied(row, setting),
    removed: false,
  };
}

export const toPairTalk = (
  ctx: Ctx,
  { other, lastSeq, readSeq, listedAt }: PairRow,
  last: ChatMessage | null,
): Talk => ({
  user: toUserCard(other, ctx.now),
  essay: null,
  last,
  lastSeq,
  readSeq,
  unread: lastSeq - readSeq,
  updatedAt: listedAt.toISOString(),
});

export const toRoomTalk = ({ essay, lastSeq, readSeq, updatedAt }: Door, last: ChatMessage | null): Talk => ({
  user: null,
  essay: { id: essay.id, title: essay.title },
  last,
  lastSeq,
  readSeq,
  unread: lastSeq - readSeq,
  updatedAt: updatedAt.toISOString(),
});

export const toMuted = (ctx: Ctx, { user, mutedUntil }: { user: CardUser; mutedUntil: Date }) => ({
  ...toUserCard(user, ctx.now),
  mutedUntil: mutedUntil.toISOString(),
});
