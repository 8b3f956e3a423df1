import type * as calls from '@mozhan/contract/dicts.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { claim } from '../settings/index.ts';
import * as queries from './queries.ts';
import { canSeeAll, MOST_DICTS, MOST_ITEMS, requireSeeAll } from './rules.ts';
import { seedDicts as seeds } from './seed.ts';
import type { Dict, DictItem } from './tables.ts';

/** New ones come last, with room between; the order ends here. */
const STEP = 10;
const LAST = 9999;

/** The dictionaries of the first start; those that operators remove stay away. */
export async function seedDicts(ctx: Ctx): Promise<void> {
  if (!(await claim(ctx.db, 'dicts', ctx.now))) return;
  for (const { code, name, items } of seeds) {
    const dict: Dict = { id: newId(), code, name, enabled: true, createdAt: ctx.now };
    await queries.insertDict(ctx.db, dict);
    await queries.insertItems(
      ctx.db,
      items.map(([value, item], i) => ({
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

// Not by the name `code`, which the log takes for a secret.
const toDictLog = ({ code, name, enabled }: Dict) => ({ dict: code, name, enabled });

export function createDict(ctx: Ctx, input: z.output<typeof calls.createDict.input>): Promise<Dict> {
  return inTx(ctx, async (ctx) => {
    if ((await queries.countDicts(ctx.db)) >= MOST_DICTS) throw invalid('code', `字典最多 ${MOST_DICTS} 个`);
    const { code, name, enabled } = input;
    const dict: Dict = { id: newId(), code, name, enabled: enabled !== FLAG.off, createdAt: ctx.now };
    await queries.insertDict(ctx.db, dict);
    touch(ctx, tagOf(code));
    changed(ctx, `dict:${dict.id}`, null, toDictLog(dict));
    return dict;
  });
}

export function updateDict(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateDict.input>,
): Promise<Dict> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockDict(ctx.db, id);
    const dict: Dict = {
      ...before,
      ...input,
      enabled: enabled === undefined ? before.enabled : enabled === FLAG.on,
    };
    await queries.updateDict(ctx.db, dict);
    touch(ctx, tagOf(before.code), tagOf(dict.code));
    changed(ctx, `dict:${id}`, toDictLog(before), toDictLog(dict));
    return dict;
  });
}

/** The database refuses one that has items. */
export function removeDict(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockDict(ctx.db, id);
    await queries.removeDict(ctx.db, id);
    touch(ctx, tagOf(before.code));
    changed(ctx, `dict:${id}`, toDictLog(before), null);
  });
}

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
  if (!canSeeAll(ctx.viewer) && !(item.enabled && dict.enabled)) throw queries.noItem();
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
    const dict = await queries.lockDict(ctx.db, input.dictId);
    if ((await queries.countItems(ctx.db, dict.id)) >= MOST_ITEMS)
      throw invalid('value', `一个字典最多 ${MOST_ITEMS} 条`);
    const item: DictItem = {
      id: newId(),
      dictId: dict.id,
      value: input.value,
      item: input.item,
      sort: input.sort ?? Math.min((await queries.findLastSort(ctx.db, dict.id)) + STEP, LAST),
      enabled: input.enabled !== FLAG.off,
      createdAt: ctx.now,
    };
    await queries.insertItems(ctx.db, [item]);
    touch(ctx, tagOf(dict.code));
    changed(ctx, `dict-item:${item.id}`, null, toItemLog(item, dict));
    return item;
  });
}

/** The item under the lock of its dictionary. */
async function lockItem(ctx: Ctx, id: string): Promise<{ item: DictItem; dict: Dict }> {
  const { dict } = await queries.getItem(ctx.db, id);
  await queries.lockDict(ctx.db, dict.id);
  return queries.getItem(ctx.db, id);
}

export function updateItem(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateDictItem.input>,
): Promise<DictItem> {
  return inTx(ctx, async (ctx) => {
    const { item: before, dict } = await lockItem(ctx, id);
    const item: DictItem = {
      ...before,
      ...input,
      enabled: enabled === undefined ? before.enabled : enabled === FLAG.on,
    };
    await queries.updateItem(ctx.db, item);
    touch(ctx, tagOf(dict.code));
    changed(ctx, `dict-item:${id}`, toItemLog(before, dict), toItemLog(item, dict));
    return item;
  });
}

export function removeItem(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { item: before, dict } = await lockItem(ctx, id);
    await queries.removeItem(ctx.db, id);
    touch(ctx, tagOf(dict.code));
    changed(ctx, `dict-item:${id}`, toItemLog(before, dict), null);
  });
}
