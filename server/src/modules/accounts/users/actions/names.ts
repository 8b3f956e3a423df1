import type { Page } from '@mozhan/contract/common.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { findNames, indexName, indexNames, unindexName } from '../../../platform/search/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { getUser, listEnabledUsers, listUsers, takeUnindexed } from '../queries/people.ts';
import type { User } from '../tables.ts';

/** A name is seen at once and everywhere: any word of the list refuses it. */
export async function checkName(ctx: Ctx, displayName: string): Promise<void> {
  const { words } = await screenText(ctx, displayName);
  if (words[0] !== undefined) throw invalid('displayName', `昵称里不能有「${words[0]}」，请换一个`);
}

/** Writers are found by their names, in traditional characters and pinyin too; the followed ones first. */
export async function indexWriter(ctx: Ctx, id: string): Promise<void> {
  const { displayName, essayCount, followerCount } = await getUser(ctx.db, id);
  if (essayCount > 0) await indexName(ctx, { kind: 'user', id, name: displayName, weight: followerCount });
  else await unindexName(ctx, 'user', id);
}

const BATCH = 500;

/** Indexes the names of people who are new, renamed or removed. */
export async function indexPeople(ctx: Ctx): Promise<void> {
  for (let taken = BATCH; taken === BATCH; ) {
    taken = await inTx(ctx, async (ctx) => {
      const { ids, people } = await takeUnindexed(ctx.db, BATCH);
      await indexNames(
        ctx,
        'person',
        ids,
        people.map(({ id, displayName, followerCount }) => ({
          id,
          name: displayName,
          weight: followerCount,
        })),
      );
      return ids.length;
    });
  }
}

/**
 * People whose name begins with the keyword, by name. Where these do not fill the first page, whoever's name has it
 * further on, or sounds so, comes behind them.
 */
export async function searchPeople(ctx: Ctx, query: Parameters<typeof listUsers>[1]): Promise<Page<User>> {
  const found = await listUsers(ctx.db, query);
  const { keyword, page, pageSize, cursor } = query;
  if (!keyword || cursor !== undefined || page > 1 || found.list.length >= pageSize) return found;
  const known = new Set(found.list.map(({ id }) => id));
  const ids = (await findNames(ctx, 'person', keyword, 2 * pageSize)).filter((id) => !known.has(id));
  const others = (await listEnabledUsers(ctx.db, ids)).slice(0, pageSize - found.list.length);
  return { ...found, list: [...found.list, ...others], total: found.total + others.length };
}
