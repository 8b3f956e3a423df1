import { invalidField } from '@mozhan/contract/errors.ts';
import { type SearchEngines, searchEngines } from '@mozhan/contract/search-engines.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import { findCachedSetting, findSetting, updateSetting } from '../../../platform/settings/index.ts';
import { findRobotsProblem, formatRobots } from '../rules/robots.ts';

const KEY = 'search-engines';
const DEFAULTS: SearchEngines = {
  baidu: '',
  google: '',
  bing: '',
  so360: '',
  sogou: '',
  files: [],
  closed: false,
  robots: '',
};
const stored = searchEngines.partial();

export async function getSearchEngines(ctx: Ctx): Promise<SearchEngines> {
  addPageTags(ctx, 'site');
  return { ...DEFAULTS, ...stored.parse((await findCachedSetting(ctx, KEY)) ?? {}) };
}

export const toRobotsText = (
  { services: { config } }: Ctx,
  { closed, robots }: Pick<SearchEngines, 'closed' | 'robots'>,
): string =>
  formatRobots({ basePath: config.basePath, siteUrl: config.siteUrl ?? null, closed, robots });

export function requireValidRobots(robots: string): void {
  const problem = findRobotsProblem(robots);
  if (problem !== null) throw invalidField('robots', problem);
}

/** A file must not hide a page or another file of the site. */
async function checkFiles(ctx: Ctx, files: SearchEngines['files']): Promise<void> {
  const names = files.map(({ name }) => name.toLowerCase());
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw invalidField('files', `有两个文件都叫 ${repeated}`);
  for (const { name } of files)
    if (await ctx.services.isOwnPath(`/${name}`))
      throw invalidField('files', `${name} 是网站自己的地址，不能用`);
}

export async function updateSearchEngines(ctx: Ctx, given: Partial<SearchEngines>): Promise<SearchEngines> {
  if (given.robots !== undefined) requireValidRobots(given.robots);
  await checkFiles(ctx, given.files ?? []);
  return inTransaction(ctx, async (ctx) => {
    const read = async () => ({ ...DEFAULTS, ...stored.parse((await findSetting(ctx.db, KEY)) ?? {}) });
    const before = await read();
    await updateSetting(ctx, KEY, given);
    const after = await read();
    invalidate(ctx, 'site');
    logChange(ctx, 'setting:search-engines', before, after);
    return after;
  });
}
