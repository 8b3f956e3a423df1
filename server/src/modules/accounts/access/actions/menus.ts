import type * as calls from '@mozhan/contract/access.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries.ts';
import { checkMenu, checkMenuManageable, checkPermissionChange, filterVisibleMenus } from '../rules.ts';
import type { Menu } from '../tables.ts';

export interface MenuWithAll {
  menu: Menu;
  all: Menu[];
}

const toLog = ({ id: _, code: __, ...fields }: Menu) => fields;

export async function getMenu(ctx: Ctx, id: string): Promise<MenuWithAll> {
  const all = await queries.listMenus(ctx.db);
  const menu = all.find((each) => each.id === id);
  if (menu === undefined) throw queries.menuRows.notFoundError();
  return { menu, all };
}

export async function listMyMenus(ctx: Ctx, viewer: Viewer): Promise<Menu[]> {
  const [all, grantedMenuIds] = await Promise.all([
    queries.listMenus(ctx.db),
    queries.listGrantedMenuIds(ctx.db, viewer.id),
  ]);
  return filterVisibleMenus(all, viewer, new Set(grantedMenuIds));
}

export function createMenu(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.createMenu.input>,
): Promise<MenuWithAll> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockAccess(ctx.db);
    const menu: Menu = {
      id: newId(),
      parentId: input.parentId,
      code: null,
      name: input.name,
      path: input.path ?? '',
      icon: input.icon ?? '',
      permission: input.permission ?? null,
      kind: input.kind,
      sort: input.sort ?? 0,
      enabled: isOn(input.enabled, true),
    };
    checkMenu(menu, await queries.listMenus(ctx.db));
    checkPermissionChange(actor, null, menu.permission);
    await queries.menuRows.insert(ctx.db, menu);
    logChange(ctx, `menu:${menu.id}`, null, toLog(menu));
    return getMenu(ctx, menu.id);
  });
}

export function updateMenu(
  ctx: Ctx,
  actor: Viewer,
  { id, enabled, ...input }: z.output<typeof calls.updateMenu.input>,
): Promise<MenuWithAll> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockAccess(ctx.db);
    const before = await getMenu(ctx, id);
    const menu: Menu = { ...before.menu, ...input, enabled: isOn(enabled, before.menu.enabled) };
    checkMenu(menu, before.all);
    checkMenuManageable(actor, before.menu, before.all);
    checkPermissionChange(actor, before.menu.permission, menu.permission);
    await queries.menuRows.update(ctx.db, id, menu);
    logChange(ctx, `menu:${id}`, toLog(before.menu), toLog(menu));
    return getMenu(ctx, id);
  });
}

export function removeMenu(ctx: Ctx, actor: Viewer, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockAccess(ctx.db);
    const { menu, all } = await getMenu(ctx, id);
    checkMenuManageable(actor, menu, all);
    checkPermissionChange(actor, menu.permission, null);
    if (all.some((each) => each.parentId === id)) throw new CallError('MENU_HAS_CHILDREN');
    await queries.menuRows.remove(ctx.db, id);
    logChange(ctx, `menu:${id}`, toLog(menu), null);
  });
}
