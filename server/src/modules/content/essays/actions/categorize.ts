import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { categorizeEssay as call, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import { notify } from '../../../accounts/users/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import * as queries from '../queries/essays.ts';
import { findCard } from '../queries/lists.ts';
import { essayNotFound, essayPathOf } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { toStaffEssay } from '../views/essays.ts';
import { uniqueTags } from './save.ts';
import { putOnShelf } from './shelf.ts';
import { setSlug } from './slugs.ts';

/** A revision under audit must not change, so the essay must have none. Returns the version on the shelf. */
function requireClassifiable({ status, revisionStatus, shelvedVersion }: EssayRow): number {
  if (status !== ESSAY_STATUS.onShelf || shelvedVersion === null)
    throw new CallError('TRANSITION_REFUSED', { message: '只能改已上架的文章' });
  if (revisionStatus !== null && revisionStatus !== ESSAY_STATUS.draft)
    throw new CallError('TRANSITION_REFUSED', { message: '这篇文章的修订还没有审核完，请先处理它' });
  return shelvedVersion;
}

async function getCategoryName(ctx: Ctx, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const found = (await listEnabledCategories(ctx)).find((each) => each.id === id);
  if (found === undefined) throw invalidField('categoryId', '没有这个分类');
  return found.name;
}

/** Tags become public without an audit, so a sensitive word of any level is refused. */
export async function checkTags(ctx: Ctx, tags: string[], field = 'tags'): Promise<void> {
  const { words } = await screenText(ctx, tags.join('\n'));
  if (words[0] !== undefined) throw invalidField(field, `不能有「${words[0]}」，请换个说法`);
}

const classificationOf = ({ title, categoryId, tags, slug }: EssayRow) => ({ title, categoryId, tags, slug });

export function categorizeEssay(
  ctx: Ctx,
  { id, categoryId, tags, slug }: z.output<typeof call.input>,
): Promise<StaffEssay> {
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    const version = requireClassifiable(essay);
    const category = await getCategoryName(ctx, categoryId);
    const newTags = tags === undefined ? undefined : uniqueTags(tags);
    if (newTags !== undefined) await checkTags(ctx, newTags);
    await queries.updateClassification(ctx.db, id, version, {
      ...(categoryId !== undefined && { categoryId }),
      ...(newTags !== undefined && { tags: newTags }),
    });
    if (slug !== undefined) await setSlug(ctx, essay, slug);
    const after = await putOnShelf(ctx, essay, version);
    logChange(ctx, `essay:${id}`, classificationOf(essay), classificationOf(after));
    const changes = [
      category === undefined ? '' : `分类改为「${category}」`,
      newTags === undefined ? '' : newTags.length === 0 ? '标签已清空' : `标签改为「${newTags.join('、')}」`,
      slug === undefined || slug === essay.slug
        ? ''
        : slug === null
          ? '自定义网址已删除'
          : `自定义网址改为「${slug}」`,
    ].filter((each) => each !== '');
    if (changes.length > 0) {
      await notify(ctx, {
        userId: essay.authorId,
        kind: 'audit',
        text: `《${essay.title}》的${changes.join('，')}`,
        target: { id, title: essay.title, url: essayPathOf(after) },
      });
    }
    const card = await findCard(ctx.db, id);
    if (card === null) throw essayNotFound();
    return toStaffEssay({ ...card, words: [], appeal: false }, ctx.now);
  });
}
