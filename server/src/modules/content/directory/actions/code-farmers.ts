import type { updateFarmer as call } from '@mozhan/contract/code-farmers.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { listEnabledItems } from '../../../platform/dicts/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/code-farmers.ts';

const SKILLS = 'skill';

/** The names of the skills, by value, as operators have them now. */
export const listSkillNames = async (ctx: Ctx): Promise<Map<string, string>> =>
  new Map((await listEnabledItems(ctx, SKILLS)).map(({ value, item }) => [value, item]));

export async function listFarmers(
  ctx: Ctx,
  query: PageQuery & queries.FarmerFilter,
): Promise<Page<queries.FarmerCard>> {
  shows(ctx, 'farmers');
  const page = await queries.listFarmers(ctx.db, query);
  for (const { user } of page.list) shows(ctx, `user:${user.id}`);
  return page;
}

export async function findFarmer(ctx: Ctx, userId: string): Promise<queries.FarmerCard | null> {
  shows(ctx, `farmer:${userId}`, `user:${userId}`);
  return queries.findFarmer(ctx.db, userId);
}

async function checkSkills(ctx: Ctx, skills: string[]): Promise<void> {
  const names = await listSkillNames(ctx);
  const unknown = skills.find((skill) => !names.has(skill));
  if (unknown !== undefined) throw invalid('skills', `没有「${unknown}」这项技能`);
  const twice = skills.find((skill, i) => skills.indexOf(skill) !== i);
  if (twice !== undefined) throw invalid('skills', `「${names.get(twice)}」选了两次`);
}

/** Cards are seen at once and audited by nobody: what would have to wait for an audit is refused too. */
async function screen(ctx: Ctx, field: 'intro' | 'city', text: string): Promise<string> {
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
  return inTx(ctx, async (ctx) => {
    const { skills } = input;
    if (skills !== undefined) await checkSkills(ctx, skills);
    const fields: queries.FarmerFields = {
      ...input,
      ...(input.intro === undefined ? {} : { intro: await screen(ctx, 'intro', input.intro) }),
      ...(input.city === undefined ? {} : { city: await screen(ctx, 'city', input.city) }),
      updatedAt: ctx.now,
    };
    if ((await queries.updateFarmer(ctx.db, id, fields)) === null) {
      if (skills === undefined) throw invalid('skills', '请至少选一项技能');
      await queries.insertFarmer(ctx.db, id, { ...fields, skills });
    }
    touch(ctx, 'farmers', `farmer:${id}`);
    const card = await queries.findFarmer(ctx.db, id);
    if (card === null) throw new CallError('NOT_FOUND');
    return card;
  });
}

export function removeFarmer(ctx: Ctx, { id }: Viewer): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await queries.removeFarmer(ctx.db, id);
    touch(ctx, 'farmers', `farmer:${id}`);
  });
}
