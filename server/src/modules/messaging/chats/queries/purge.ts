import { inArray, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { essays } from '../../../content/essays/tables.ts';
import { chatMessages, conversations } from '../tables.ts';

/** Messages in other authors' rooms become tombstones, so that the numbers stay without gaps. */
export async function deleteChatsOfUsers(db: Db, userIds: string[], now: Date): Promise<void> {
  const ownEssays = db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, userIds));
  await db
    .delete(conversations)
    .where(
      or(
        inArray(conversations.userA, userIds),
        inArray(conversations.userB, userIds),
        inArray(conversations.essayId, ownEssays),
      ),
    );
  await db
    .update(chatMessages)
    .set({
      fromId: null,
      removedAt: now,
      content: '',
      masked: null,
      html: '',
      image: null,
      folded: '',
      tokens: [],
    })
    .where(inArray(chatMessages.fromId, userIds));
}
