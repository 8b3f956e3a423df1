import { invalid } from '#contract/errors.ts';
import type { Ctx } from '../../../ctx.ts';
import { indexName, unindexName } from '../../search/index.ts';
import { screenText } from '../../words/index.ts';
import { getUser } from '../queries/people.ts';

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
