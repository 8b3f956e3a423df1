import type { updateFarmer as call } from '@mozhan/contract/code-farmers.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { listEnabledItems } from '../../../platform/dicts/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/code-farmers.ts';

const SKILL_DICT = 'skill';

export const listSkillNames = async (ctx: Ctx): Promise<Map<string, string>> =>
  new Map((await listEnabledItems(ctx, SKILL_DICT)).map(({ value, item }) => [value, item]));

export async function listFarmers(
  ctx: Ctx,
  query: PageQuery & queries.FarmerFilter,
): Promise<Page<queries.FarmerCard>> {
  addPageTags(ctx, 'farmers');
  const page = await queries.listFarmers(ctx.db, query);
  for (const { user } of page.list) addPageTags(ctx, `user:${user.id}`);
  return page;
}

export async function findFarmer(ctx: Ctx, userId: string): Promise<queries.FarmerCard | null> {
  addPageTags(ctx, `farmer:${userId}`, `user:${userId}`);
  return queries.findFarmer(ctx.db, userId);
}

async function checkSkills(ctx: Ctx, skills: string[]): Promise<void> {
  const names = await listSkillNames(ctx);
  const unknown = skills.find((skill) => !names.has(skill));
  if (unknown !== undefined) throw invalidField('skills', `没有「${unknown}」这项技能`);
  const duplicate = skills.find((skill, i) => skills.indexOf(skill) !== i);
  if (duplicate !== undefined) throw invalidField('skills', `「${names.get(duplicate)}」选了两次`);
}

/** Cards are public without an audit, so words of the level `hold` are refused too. */
async function screenField(ctx: Ctx, field: 'intro' | 'city', text: string): Promise<string> {
  const { level, words, masked } = await screenText(ctx, text);
  if (level !== null && level !== 'mask')
    throw new CallError('WORDS_REFUSED', { fields: { [field]: `含有不能发布的词语：${words.join('、')}` } });
  return masked;
}

export function saveFarmer(
  ctx: Ctx,
  { id }: Viewer,
  input: z.output<typeof call.input>,
): Promise<queries.FarmerCard> {
  return inTransaction(ctx, async (ctx) => {
    const { skills } = input;
    if (skills !== undefined) await checkSkills(ctx, skills);
    const fields: queries.FarmerFields = {
      ...input,
      ...(input.intro === undefined ? {} : { intro: await screenField(ctx, 'intro', input.intro) }),
      ...(input.city === undefined ? {} : { city: await screenField(ctx, 'city', input.city) }),
      updatedAt: ctx.now,
    };
    if ((await queries.updateFarmer(ctx.db, id, fields)) === null) {
      if (skills === undefined) throw invalidField('skills', '请至少选一项技能');
      await queries.insertFarmer(ctx.db, id, { ...fields, skills });
    }
    invalidate(ctx, 'farmers', `farmer:${id}`);
    const card = await queries.findFarmer(ctx.db, id);
    if (card === null) throw new CallError('NOT_FOUND');
    return card;
  });
}

export function removeFarmer(ctx: Ctx, { id }: Viewer): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.removeFarmer(ctx.db, id);
    invalidate(ctx, 'farmers', `farmer:${id}`);
  });
}
