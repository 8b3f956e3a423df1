import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { Ctx } from '../../../../ctx.ts';
import { listCardsByIds } from '../../../content/essays/index.ts';
import { listThumbnails, type MessageDetails } from '../queries/messages.ts';
import { type ChatEssayCard, toChatMessage } from '../views/chats.ts';

/** Returns cards only for essays that are on the shelf. */
export async function findEssayCards(ctx: Ctx, essayIds: string[]): Promise<Map<string, ChatEssayCard>> {
  const rows = await listCardsByIds(ctx.db, [...new Set(essayIds)]);
  const covers = rows.map(({ essay }) => essay.cover).filter((cover) => cover !== '');
  const thumbs = await listThumbnails(ctx.db, covers);
  return new Map(
    rows.map(({ essay: { id, title, cover, readMinutes }, author }) => [
      id,
      { id, title, author: author.displayName, cover, thumb: thumbs.get(cover) ?? cover, readMinutes },
    ]),
  );
}

const NO_USERS: ReadonlySet<string> = new Set();

/** Builds the views of messages and loads all essays that they link to at once. */
export async function loadMessageViews(
  ctx: Ctx,
  rows: MessageDetails[],
  blocked: ReadonlySet<string> = NO_USERS,
): Promise<ChatMessage[]> {
  const linkedIds = rows.flatMap(({ message: { kind, content, removedAt } }) =>
    kind === 'essay' && removedAt === null ? [content] : [],
  );
  const cards = await findEssayCards(ctx, linkedIds);
  return rows.map((row) => toChatMessage(ctx, row, { cards, blocked }));
}
