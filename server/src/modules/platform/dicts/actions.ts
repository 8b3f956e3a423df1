import type * as calls from '@mozhan/contract/dicts.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { loggedRows } from '../../../db/logged-rows.ts';
import { nextSortValue, SORT_STEP } from '../../../db/sort-position.ts';
import { claimOnce } from '../settings/index.ts';
import * as queries from './queries.ts';
import { canListAllDicts, MAX_DICTS, MAX_ITEMS_PER_DICT, requireListAllDicts } from './rules.ts';
import { initialDicts as seeds } from './seed.ts';
import { type Dict, type DictItem, dictItems } from './tables.ts';

/** Runs once, at the first start, so that removed dictionaries are not created again. */
export async function seedDicts(ctx: Ctx): Promise<void> {
  if (!(await claimOnce(ctx.db, 'dicts', ctx.now))) return;
  for (const { code, name, items } of seeds) {
    const dict: Dict = { id: newId(), code, name, enabled: true, createdAt: ctx.now };
    await queries.dictRows.insert(ctx.db, dict);
    await queries.itemRows.insert(
      ctx.db,
      ...items.map(([value, item], i) => ({
        id: newId(),
        dictId: dict.id,
        value,
        item,
        sort: (i + 1) * SORT_STEP,
        enabled: true,
        createdAt: ctx.now,
      })),
    );
  }
}

const cacheTagOf = (code: string): string => `dict:${code}`;

const loggedDicts = loggedRows(queries.dictRows, {
  noun: 'dict',
  // The operation log masks fields named `code` as secrets.
  toLog: ({ code, name, enabled }) => ({ dict: code, name, enabled }),
  onChange: (ctx, ...dicts) =>
    invalidate(ctx, ...dicts.flatMap((dict) => (dict === null ? [] : cacheTagOf(dict.code)))),
});

export const createDict = (
  ctx: Ctx,
  { code, name, enabled }: z.output<typeof calls.createDict.input>,
): Promise<Dict> =>
  loggedDicts.create(ctx, async (ctx) => {
    if ((await queries.dictRows.count(ctx.db)) >= MAX_DICTS)
      throw invalidField('code', `字典最多 ${MAX_DICTS} 个`);
    return { id: newId(), code, name, enabled: isOn(enabled, true), createdAt: ctx.now };
  });

export const updateDict = (
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateDict.input>,
): Promise<Dict> =>
  loggedDicts.update(ctx, id, (before) => ({ ...before, ...input, enabled: isOn(enabled, before.enabled) }));

/** A foreign key prevents the removal of a dictionary that has items. */
export const removeDict = loggedDicts.remove;

export function listEnabledItems(ctx: Ctx, code: string): Promise<DictItem[]> {
  addPageTags(ctx, cacheTagOf(code));
  return queries.listEnabledItems(ctx.db, code);
}

export async function listAllItems(ctx: Ctx, dictId: string): Promise<DictItem[]> {
  requireListAllDicts(ctx.viewer);
  return queries.listItems(ctx.db, dictId);
}

export async function getItem(ctx: Ctx, id: string): Promise<DictItem> {
  const { item, dict } = await queries.getItem(ctx.db, id);
  if (!canListAllDicts(ctx.viewer) && !(item.enabled && dict.enabled)) throw queries.itemRows.notFoundError();
  addPageTags(ctx, cacheTagOf(dict.code));
  return item;
}

const toItemLog = ({ value, item, sort, enabled }: DictItem, dict: Dict) => ({
  dict: dict.code,
  value,
  item,
  sort,
  enabled,
});

export function createItem(ctx: Ctx, input: z.output<typeof calls.createDictItem.input>): Promise<DictItem> {
  return inTransaction(ctx, async (ctx) => {
    const dict = await queries.dictRows.lock(ctx.db, input.dictId);
    const isInDict = eq(dictItems.dictId, dict.id);
    if ((await queries.itemRows.count(ctx.db, isInDict)) >= MAX_ITEMS_PER_DICT)
      throw invalidField('value', `一个字典最多 ${MAX_ITEMS_PER_DICT} 条`);
    const item: DictItem = {
      id: newId(),
      dictId: dict.id,
      value: input.value,
      item: input.item,
      sort: input.sort ?? (await nextSortValue(ctx.db, dictItems, isInDict)),
      enabled: isOn(input.enabled, true),
      createdAt: ctx.now,
    };
    await queries.itemRows.insert(ctx.db, item);
    invalidate(ctx, cacheTagOf(dict.code));
    logChange(ctx, `dict-item:${item.id}`, null, toItemLog(item, dict));
    return item;
  });
}

async function lockItem(ctx: Ctx, id: string): Promise<{ item: DictItem; dict: Dict }> {
  const { dict } = await queries.getItem(ctx.db, id);
  await queries.dictRows.lock(ctx.db, dict.id);
  return queries.getItem(ctx.db, id);
}

export function updateItem(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateDictItem.input>,
): Promise<DictItem> {
  return inTransaction(ctx, async (ctx) => {
    const { item: before, dict } = await lockItem(ctx, id);
    const item: DictItem = { ...before, ...input, enabled: isOn(enabled, before.enabled) };
    await queries.itemRows.update(ctx.db, id, item);
    invalidate(ctx, cacheTagOf(dict.code));
    logChange(ctx, `dict-item:${id}`, toItemLog(before, dict), toItemLog(item, dict));
    return item;
  });
}

export function removeItem(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { item: before, dict } = await lockItem(ctx, id);
    await queries.itemRows.remove(ctx.db, id);
    invalidate(ctx, cacheTagOf(dict.code));
    logChange(ctx, `dict-item:${id}`, toItemLog(before, dict), null);
  });
}
