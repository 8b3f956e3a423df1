import type * as calls from '@mozhan/contract/categories.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { createLookup } from '../../../db/lookup.ts';
import { claim } from '../../platform/settings/index.ts';
import * as queries from './queries.ts';
import { canSeeDisabled } from './rules.ts';
import type { Category } from './tables.ts';

/** New ones come last, with room between; the order ends here. */
const STEP = 10;
const LAST = 9999;

const seeds = [
  { slug: 'program', name: '编程', icon: 'code' },
  { slug: 'tech', name: '技术', icon: 'chip' },
  { slug: 'app', name: '应用', icon: 'apps' },
];

/** The categories of the first start; those that operators remove stay away. */
export async function seedCategories(ctx: Ctx): Promise<void> {
  if (!(await claim(ctx.db, 'categories', ctx.now))) return;
  for (const [i, seed] of seeds.entries()) {
    const sort = (i + 1) * STEP;
    await queries.insertCategory(ctx.db, { id: newId(), ...seed, sort, enabled: true, createdAt: ctx.now });
  }
}

const findList = createLookup((db) => {
  const enabled = queries.listCategories(db, 'enabled').prepare('enabled_categories');
  return async () => new Map([['enabled', await enabled.execute()]]);
});

/** What every page of the site shows. */
export async function listEnabled(ctx: Ctx): Promise<Category[]> {
  shows(ctx, 'site');
  return (await findList(ctx, 'enabled')) ?? [];
}

/** By id, the disabled ones too. */
export const listNames = async (ctx: Ctx): Promise<Map<string, string>> =>
  new Map((await queries.listCategories(ctx.db, 'all')).map(({ id, name }) => [id, name]));

export const listCategories = (ctx: Ctx): Promise<Category[]> =>
  canSeeDisabled(ctx.viewer) ? queries.listCategories(ctx.db, 'all') : listEnabled(ctx);

export async function getCategory(ctx: Ctx, id: string): Promise<Category> {
  const category = (await listCategories(ctx)).find((each) => each.id === id);
  if (category === undefined) throw queries.noCategory();
  return category;
}

const toLog = ({ id: _, createdAt: __, ...fields }: Category) => fields;

export function createCategory(
  ctx: Ctx,
  input: z.output<typeof calls.createCategory.input>,
): Promise<Category> {
  return inTx(ctx, async (ctx) => {
    const category: Category = {
      id: newId(),
      slug: input.slug,
      name: input.name,
      icon: input.icon ?? 'code',
      sort: input.sort ?? Math.min((await queries.findLastSort(ctx.db)) + STEP, LAST),
      enabled: input.enabled !== FLAG.off,
      createdAt: ctx.now,
    };
    await queries.insertCategory(ctx.db, category);
    touch(ctx, 'site');
    changed(ctx, `category:${category.id}`, null, toLog(category));
    return category;
  });
}

export function updateCategory(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateCategory.input>,
): Promise<Category> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockCategory(ctx.db, id);
    const category: Category = {
      ...before,
      ...input,
      enabled: enabled === undefined ? before.enabled : enabled === FLAG.on,
    };
    await queries.updateCategory(ctx.db, category);
    touch(ctx, 'site');
    changed(ctx, `category:${id}`, toLog(before), toLog(category));
    return category;
  });
}

export function removeCategory(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockCategory(ctx.db, id);
    await queries.removeCategory(ctx.db, id);
    touch(ctx, 'site');
    changed(ctx, `category:${id}`, toLog(before), null);
  });
}
