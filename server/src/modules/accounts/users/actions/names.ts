import type { Page } from '@mozhan/contract/common.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { addJobs } from '../../../../jobs.ts';
import { findNames, indexName, indexNames, unindexName } from '../../../platform/search/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { claimUnindexedUsers, getUser, listEnabledUsers, listUsers } from '../queries/users.ts';
import type { User } from '../tables.ts';

/** Names appear everywhere without review, so sensitive words of every level are refused. */
export async function checkDisplayName(ctx: Ctx, displayName: string): Promise<void> {
  const { words } = await screenText(ctx, displayName);
  if (words[0] !== undefined) throw invalidField('displayName', `昵称里不能有「${words[0]}」，请换一个`);
}

/** Makes a writer searchable by name, also in traditional characters and pinyin, weighted by followers. */
export async function indexWriterName(ctx: Ctx, id: string): Promise<void> {
  const { displayName, essayCount, followerCount } = await getUser(ctx.db, id);
  if (essayCount > 0) await indexName(ctx, { kind: 'user', id, name: displayName, weight: followerCount });
  else await unindexName(ctx, 'user', id);
}

const BATCH_SIZE = 500;

export async function indexUserNames(ctx: Ctx): Promise<void> {
  for (let claimed = BATCH_SIZE; claimed === BATCH_SIZE; ) {
    claimed = await inTransaction(ctx, async (ctx) => {
      const { ids, users, renamed } = await claimUnindexedUsers(ctx.db, BATCH_SIZE);
      await indexNames(
        ctx,
        'person',
        ids,
        users.map(({ id, displayName, followerCount }) => ({
          id,
          name: displayName,
          weight: followerCount,
        })),
      );
      // The essays of a renamed writer contain the old name in the search index.
      const writers = users.filter(({ id, essayCount }) => essayCount > 0 && renamed.has(id));
      await addJobs(
        ctx,
        'queue-author-essays',
        writers.map(({ id }) => ({ authorId: id })),
      );
      return ids.length;
    });
  }
}

/** Finds names that start with the keyword; an incomplete first page is filled with other matches, also by pinyin. */
export async function searchUsersByName(
  ctx: Ctx,
  query: Parameters<typeof listUsers>[1],
): Promise<Page<User>> {
  const found = await listUsers(ctx.db, query);
  const { keyword, page, pageSize, cursor } = query;
  if (!keyword || cursor !== undefined || page > 1 || found.list.length >= pageSize) return found;
  const foundIds = new Set(found.list.map(({ id }) => id));
  const ids = (await findNames(ctx, 'person', keyword, 2 * pageSize)).filter((id) => !foundIds.has(id));
  const others = (await listEnabledUsers(ctx.db, ids)).slice(0, pageSize - found.list.length);
  return { ...found, list: [...found.list, ...others], total: found.total + others.length };
}
