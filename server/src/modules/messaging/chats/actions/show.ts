import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { Ctx } from '../../../../ctx.ts';
import { listCardsByIds } from '../../../content/essays/index.ts';
import { listThumbs, type SaidRow } from '../queries/messages.ts';
import { type Card, toChatMessage } from '../views/chats.ts';

/** The cards of these essays, as far as they are on the shelf. */
export async function findCards(ctx: Ctx, essayIds: string[]): Promise<Map<string, Card>> {
  const rows = await listCardsByIds(ctx.db, [...new Set(essayIds)]);
  const covers = rows.map(({ essay }) => essay.cover).filter((cover) => cover !== '');
  const thumbs = await listThumbs(ctx.db, covers);
  return new Map(
    rows.map(({ essay: { id, title, cover, readMinutes }, author }) => [
      id,
      { id, title, author: author.displayName, cover, thumb: thumbs.get(cover) ?? cover, readMinutes },
    ]),
  );
}

const NOBODY: ReadonlySet<string> = new Set();

/** As they are shown, with the essays that they name looked up together. */
export async function showMessages(
  ctx: Ctx,
  rows: SaidRow[],
  blocked: ReadonlySet<string> = NOBODY,
): Promise<ChatMessage[]> {
  const named = rows.flatMap(({ message: { kind, content, removedAt } }) =>
    kind === 'essay' && removedAt === null ? [content] : [],
  );
  const cards = await findCards(ctx, named);
  return rows.map((row) => toChatMessage(ctx, row, { cards, blocked }));
}
