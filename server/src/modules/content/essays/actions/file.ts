import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { fileEssay as call, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx } from '../../../../ctx.ts';
import { notify } from '../../../accounts/users/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import * as queries from '../queries/essays.ts';
import { findCard } from '../queries/lists.ts';
import { noEssay } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { toStaffEssay } from '../views/essays.ts';
import { distinct } from './save.ts';
import { putOnShelf } from './shelf.ts';

/** What an auditor is looking at is not changed underneath. */
function requireSettled({ status, revisionStatus, shelvedVersion }: EssayRow): number {
  if (status !== ESSAY_STATUS.onShelf || shelvedVersion === null)
    throw new CallError('TRANSITION_REFUSED', { message: '只能改已上架的文章' });
  if (revisionStatus !== null && revisionStatus !== ESSAY_STATUS.draft)
    throw new CallError('TRANSITION_REFUSED', { message: '这篇文章的修订还没有审核完，请先处理它' });
  return shelvedVersion;
}

async function nameOfCategory(ctx: Ctx, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const found = (await listEnabledCategories(ctx)).find((each) => each.id === id);
  if (found === undefined) throw invalid('categoryId', '没有这个分类');
  return found.name;
}

/** Shown at once and to everyone: any word of the list refuses them. */
async function checkTags(ctx: Ctx, tags: string[]): Promise<void> {
  const { words } = await screenText(ctx, tags.join('\n'));
  if (words[0] !== undefined) throw invalid('tags', `不能有「${words[0]}」，请换个说法`);
}

const filingOf = ({ title, categoryId, tags }: EssayRow) => ({ title, categoryId, tags });

/** Staff put an essay into another category, or under other tags; its author is told. */
export function fileEssay(
  ctx: Ctx,
  { id, categoryId, tags }: z.output<typeof call.input>,
): Promise<StaffEssay> {
  return inTx(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    const version = requireSettled(essay);
    const category = await nameOfCategory(ctx, categoryId);
    const filed = tags === undefined ? undefined : distinct(tags);
    if (filed !== undefined) await checkTags(ctx, filed);
    await queries.updateFiling(ctx.db, id, version, {
      ...(categoryId !== undefined && { categoryId }),
      ...(filed !== undefined && { tags: filed }),
    });
    const after = await putOnShelf(ctx, essay, version);
    changed(ctx, `essay:${id}`, filingOf(essay), filingOf(after));
    const news = [
      category === undefined ? '' : `分类改为「${category}」`,
      filed === undefined ? '' : filed.length === 0 ? '标签去掉了' : `标签改为「${filed.join('、')}」`,
    ].filter((each) => each !== '');
    if (news.length > 0) {
      await notify(ctx, {
        userId: essay.authorId,
        kind: 'audit',
        text: `《${essay.title}》的${news.join('，')}`,
        target: { id, title: essay.title, url: `/essay/detail/${id}.html` },
      });
    }
    const card = await findCard(ctx.db, id);
    if (card === null) throw noEssay();
    return toStaffEssay({ ...card, words: [], appeal: false }, ctx.now);
  });
}
