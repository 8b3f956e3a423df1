import * as calls from '@mozhan/contract/access.ts';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { mapPage } from '../../../db/page.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import * as menus from './actions/menus.ts';
import * as roles from './actions/roles.ts';
import { getRole, listMenus, listRoles } from './queries.ts';
import { toMenu, toMenus, toRole } from './views.ts';

export const routes = [
  bind(calls.listRoles, async (ctx, { id, order, ...query }) => {
    if (id !== undefined) return toRole(await getRole(ctx.db, id));
    const page = await listRoles(ctx.db, { ...query, isDescending: order === SORT_ORDER.descending });
    return mapPage(page, toRole);
  }),
  bind(calls.createRole, async (ctx, input) => toRole(await roles.createRole(ctx, input))),
  bind(calls.updateRole, async (ctx, input) =>
    toRole(await roles.updateRole(ctx, requireSignedIn(ctx), input)),
  ),
  bindDone(calls.removeRole, (ctx, input) => roles.removeRole(ctx, requireSignedIn(ctx), input.id)),
  bind(calls.getRoleMenus, (ctx, input) => roles.getRoleMenus(ctx, input.roleId)),
  bind(calls.setRoleMenus, (ctx, input) => roles.setRoleMenus(ctx, requireSignedIn(ctx), input)),
  bind(calls.listMenus, async (ctx, { id }) => {
    if (id === undefined) return toMenus(await listMenus(ctx.db));
    const { menu, all } = await menus.getMenu(ctx, id);
    return toMenu(menu, all);
  }),
  bind(calls.listMyMenus, async (ctx) => toMenus(await menus.listMyMenus(ctx, requireSignedIn(ctx)))),
  bind(calls.createMenu, async (ctx, input) => {
    const { menu, all } = await menus.createMenu(ctx, requireSignedIn(ctx), input);
    return toMenu(menu, all);
  }),
  bind(calls.updateMenu, async (ctx, input) => {
    const { menu, all } = await menus.updateMenu(ctx, requireSignedIn(ctx), input);
    return toMenu(menu, all);
  }),
  bindDone(calls.removeMenu, (ctx, input) => menus.removeMenu(ctx, requireSignedIn(ctx), input.id)),
];
