import type * as calls from '@mozhan/contract/categories.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, invalidate } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { loggedRows } from '../../../db/logged-rows.ts';
import { createLookup } from '../../../db/lookup.ts';
import { nextSortValue, SORT_STEP } from '../../../db/sort-position.ts';
import { claimOnce } from '../../platform/settings/index.ts';
import * as queries from './queries.ts';
import { canSeeDisabled } from './rules.ts';
import { type Category, categories } from './tables.ts';

const seeds = [
  { slug: 'program', name: '编程', icon: 'code' },
  { slug: 'tech', name: '技术', icon: 'chip' },
  { slug: 'app', name: '应用', icon: 'apps' },
];

export const defaultCategoryNames: readonly string[] = seeds.map(({ name }) => name);

/** Runs on the first start only, so that categories removed by operators do not return. */
export async function seedCategories(ctx: Ctx): Promise<void> {
  if (!(await claimOnce(ctx.db, 'categories', ctx.now))) return;
  for (const [i, seed] of seeds.entries()) {
    const sort = (i + 1) * SORT_STEP;
    await queries.categoryRows.insert(ctx.db, {
      id: newId(),
      ...seed,
      sort,
      enabled: true,
      createdAt: ctx.now,
    });
  }
}

const findList = createLookup((db) => {
  const enabled = queries.listCategories(db, 'enabled').prepare('enabled_categories');
  return async () => new Map([['enabled', await enabled.execute()]]);
});

export async function listEnabledCategories(ctx: Ctx): Promise<Category[]> {
  addPageTags(ctx, 'site');
  return (await findList(ctx, 'enabled')) ?? [];
}

/** Including disabled ones. */
export const listAllCategories = (ctx: Ctx): Promise<Category[]> => queries.listCategories(ctx.db, 'all');

/** Names by id, including disabled categories. */
export const listCategoryNames = async (ctx: Ctx): Promise<Map<string, string>> =>
  new Map((await queries.listCategories(ctx.db, 'all')).map(({ id, name }) => [id, name]));

export const listCategories = (ctx: Ctx): Promise<Category[]> =>
  canSeeDisabled(ctx.viewer) ? queries.listCategories(ctx.db, 'all') : listEnabledCategories(ctx);

export async function getCategory(ctx: Ctx, id: string): Promise<Category> {
  const category = (await listCategories(ctx)).find((each) => each.id === id);
  if (category === undefined) throw queries.categoryRows.notFoundError();
  return category;
}

const logged = loggedRows(queries.categoryRows, {
  noun: 'category',
  toLog: ({ id: _, createdAt: __, ...fields }) => fields,
  onChange: (ctx) => invalidate(ctx, 'site'),
});

export const createCategory = (
  ctx: Ctx,
  { slug, name, icon = 'code', sort, enabled }: z.output<typeof calls.createCategory.input>,
): Promise<Category> =>
  logged.create(ctx, async (ctx) => ({
    id: newId(),
    slug,
    name,
    icon,
    sort: sort ?? (await nextSortValue(ctx.db, categories)),
    enabled: isOn(enabled, true),
    createdAt: ctx.now,
  }));

export const updateCategory = (
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateCategory.input>,
): Promise<Category> =>
  logged.update(ctx, id, (before) => ({ ...before, ...input, enabled: isOn(enabled, before.enabled) }));

export const removeCategory = logged.remove;
