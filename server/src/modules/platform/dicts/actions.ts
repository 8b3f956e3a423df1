import type * as calls from '@mozhan/contract/dicts.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { loggedRows } from '../../../db/logged-rows.ts';
import { nextPlace, STEP } from '../../../db/place.ts';
import { claim } from '../settings/index.ts';
import * as queries from './queries.ts';
import { canSeeAll, MOST_DICTS, MOST_ITEMS, requireSeeAll } from './rules.ts';
import { seedDicts as seeds } from './seed.ts';
import { type Dict, type DictItem, dictItems } from './tables.ts';

/** The dictionaries of the first start; those that operators remove stay away. */
export async function seedDicts(ctx: Ctx): Promise<void> {
  if (!(await claim(ctx.db, 'dicts', ctx.now))) return;
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
        sort: (i + 1) * STEP,
        enabled: true,
        createdAt: ctx.now,
      })),
    );
  }
}

const tagOf = (code: string): string => `dict:${code}`;

const logged = loggedRows(queries.dictRows, {
  noun: 'dict',
  // Not by the name `code`, which the log takes for a secret.
  toLog: ({ code, name, enabled }) => ({ dict: code, name, enabled }),
  onChange: (ctx, ...dicts) =>
    touch(ctx, ...dicts.flatMap((dict) => (dict === null ? [] : tagOf(dict.code)))),
});

export const createDict = (
  ctx: Ctx,
  { code, name, enabled }: z.output<typeof calls.createDict.input>,
): Promise<Dict> =>
  logged.create(ctx, async (ctx) => {
    if ((await queries.dictRows.count(ctx.db)) >= MOST_DICTS)
      throw invalid('code', `字典最多 ${MOST_DICTS} 个`);
    return { id: newId(), code, name, enabled: isOn(enabled, true), createdAt: ctx.now };
  });

export const updateDict = (
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateDict.input>,
): Promise<Dict> =>
  logged.update(ctx, id, (before) => ({ ...before, ...input, enabled: isOn(enabled, before.enabled) }));

/** The database refuses one that has items. */
export const removeDict = logged.remove;

/** Those of a code that readers see. */
export function listEnabledItems(ctx: Ctx, code: string): Promise<DictItem[]> {
  shows(ctx, tagOf(code));
  return queries.listEnabledItems(ctx.db, code);
}

export async function listAllItems(ctx: Ctx, dictId: string): Promise<DictItem[]> {
  requireSeeAll(ctx.viewer);
  return queries.listItems(ctx.db, dictId);
}

export async function getItem(ctx: Ctx, id: string): Promise<DictItem> {
  const { item, dict } = await queries.getItem(ctx.db, id);
  if (!canSeeAll(ctx.viewer) && !(item.enabled && dict.enabled)) throw queries.itemRows.missing();
  shows(ctx, tagOf(dict.code));
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
  return inTx(ctx, async (ctx) => {
    const dict = await queries.dictRows.lock(ctx.db, input.dictId);
    const isInDict = eq(dictItems.dictId, dict.id);
    if ((await queries.itemRows.count(ctx.db, isInDict)) >= MOST_ITEMS)
      throw invalid('value', `一个字典最多 ${MOST_ITEMS} 条`);
    const item: DictItem = {
      id: newId(),
      dictId: dict.id,
      value: input.value,
      item: input.item,
      sort: input.sort ?? (await nextPlace(ctx.db, dictItems, isInDict)),
      enabled: isOn(input.enabled, true),
      createdAt: ctx.now,
    };
    await queries.itemRows.insert(ctx.db, item);
    touch(ctx, tagOf(dict.code));
    changed(ctx, `dict-item:${item.id}`, null, toItemLog(item, dict));
    return item;
  });
}

/** The item under the lock of its dictionary. */
async function lockItem(ctx: Ctx, id: string): Promise<{ item: DictItem; dict: Dict }> {
  const { dict } = await queries.getItem(ctx.db, id);
  await queries.dictRows.lock(ctx.db, dict.id);
  return queries.getItem(ctx.db, id);
}

export function updateItem(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateDictItem.input>,
): Promise<DictItem> {
  return inTx(ctx, async (ctx) => {
    const { item: before, dict } = await lockItem(ctx, id);
    const item: DictItem = { ...before, ...input, enabled: isOn(enabled, before.enabled) };
    await queries.itemRows.update(ctx.db, id, item);
    touch(ctx, tagOf(dict.code));
    changed(ctx, `dict-item:${id}`, toItemLog(before, dict), toItemLog(item, dict));
    return item;
  });
}

export function removeItem(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { item: before, dict } = await lockItem(ctx, id);
    await queries.itemRows.remove(ctx.db, id);
    touch(ctx, tagOf(dict.code));
    changed(ctx, `dict-item:${id}`, toItemLog(before, dict), null);
  });
}
