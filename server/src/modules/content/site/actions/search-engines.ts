import { invalidField } from '@mozhan/contract/errors.ts';
import { type SearchEngines, searchEngines } from '@mozhan/contract/search-engines.ts';
import { addPageTags, afterCommit, type Ctx, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import type { Db } from '../../../../db/client.ts';
import { findSetting, updateSetting } from '../../../platform/settings/index.ts';
import { findRobotsProblem, formatRobots } from '../rules/robots.ts';

const KEY = 'search-engines';
/** Tells all processes to load these settings again, and is on every page that contains some of them. */
export const SEARCH_ENGINES_TAG = 'search-engines';

export const defaultSearchEngines: SearchEngines = {
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

/** Every process calls this at its start and after a change; elsewhere use `ctx.services.searchEngines`. */
export const loadSearchEngines = async (db: Db): Promise<SearchEngines> => ({
  ...defaultSearchEngines,
  ...stored.parse((await findSetting(db, KEY)) ?? {}),
});

/** For pages that contain some of these settings. */
export function getSearchEngines(ctx: Ctx): SearchEngines {
  addPageTags(ctx, SEARCH_ENGINES_TAG);
  return ctx.services.searchEngines.current();
}

export const toRobotsText = (
  config: Ctx['services']['config'],
  { closed, robots }: Pick<SearchEngines, 'closed' | 'robots'>,
): string => formatRobots({ basePath: config.basePath, siteUrl: config.siteUrl, closed, robots });

export function requireValidRobots(robots: string): void {
  const problem = findRobotsProblem(robots);
  if (problem !== null) throw invalidField('robots', problem);
}

/** A file must not have the address of a page or another file of the site. */
async function checkFiles(ctx: Ctx, files: SearchEngines['files']): Promise<void> {
  const names = files.map(({ name }) => name.toLowerCase());
  const repeated = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (repeated >= 0) throw invalidField(`files.${repeated}.name`, '已有同名的文件');
  for (const [index, { name }] of files.entries())
    if (await ctx.services.isOwnPath(`/${name}`))
      throw invalidField(`files.${index}.name`, '这是网站自己的地址，请检查文件名');
}

/** Updates only the given fields, so that concurrent changes of others are kept. */
export async function updateSearchEngines(ctx: Ctx, given: Partial<SearchEngines>): Promise<SearchEngines> {
  if (given.robots !== undefined) requireValidRobots(given.robots);
  await checkFiles(ctx, given.files ?? []);
  return inTransaction(ctx, async (ctx) => {
    // An empty change locks the row, so that `before` is what this change replaces.
    await updateSetting(ctx, KEY, {});
    const before = await loadSearchEngines(ctx.db);
    await updateSetting(ctx, KEY, given);
    const after = { ...before, ...given };
    const changed = (Object.keys(given) as (keyof SearchEngines)[]).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    const pick = (all: SearchEngines) => Object.fromEntries(changed.map((name) => [name, all[name]]));
    invalidate(ctx, SEARCH_ENGINES_TAG);
    logChange(ctx, 'setting:search-engines', pick(before), pick(after));
    afterCommit(ctx, () => ctx.services.searchEngines.set(after));
    return after;
  });
}
