import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { account, displayName, newPassword } from './users.ts';

const keyword = z.string().trim().max(50).optional().meta({ title: '关键词' });
const enabled = flag.meta({ title: '启用' });
const sort = z.int().min(0).max(9999).meta({ title: '排序' });

export const role = z.object({
  id,
  name: z.string(),
  code: z.string(),
  enabled: flag,
  /** Created at first start: its code cannot change and it cannot be removed. */
  builtIn: z.boolean(),
  accountCount: z.int(),
  createdAt: time,
});
export type Role = z.output<typeof role>;

const roleName = z.string().trim().min(1).max(30).meta({ title: '角色名' });
const roleCode = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{1,31}$/, '请用 2–32 位小写字母、数字或短横线，以字母开头')
  .meta({ title: '角色编码' });

export const listRoles = defineCall({
  method: 'GET',
  path: 'core/sys/role/',
  summary: '角色列表；带 id：其中一个',
  access: 'role:list',
  input: listInput.extend({
    id: id.optional(),
    keyword,
    enabled: enabled.optional(),
    ...sortBy('createdAt'),
  }),
  output: z.union([role, pageOf(role)]),
});

export const createRole = defineCall({
  method: 'POST',
  path: 'core/sys/role/',
  summary: '新建角色',
  access: 'role:create',
  input: z.object({ name: roleName, code: roleCode, enabled: enabled.default(FLAG.on) }),
  output: role,
  errors: ['ROLE_CODE_TAKEN'],
});

export const updateRole = defineCall({
  method: 'PUT',
  path: 'core/sys/role/',
  summary: '修改角色；停用后，靠它得到的权限立即失效',
  access: 'role:update',
  input: z.object({ id, name: roleName.optional(), code: roleCode.optional(), enabled: enabled.optional() }),
  output: role,
  errors: ['ROLE_CODE_TAKEN', 'ROLE_BUILT_IN', 'LAST_SUPER_ADMIN'],
});

export const removeRole = defineCall({
  method: 'DELETE',
  path: 'core/sys/role/',
  summary: '删除角色；还有账号在用时不能删除',
  access: 'role:remove',
  input: z.object({ id }),
  output: done,
  errors: ['ROLE_BUILT_IN', 'ROLE_IN_USE'],
});

export const getRoleMenus = defineCall({
  method: 'GET',
  path: 'core/sys/role/menu/',
  summary: '角色拥有的菜单编号',
  access: 'role:list',
  input: z.object({ roleId: id }),
  output: z.array(id),
});

export const setRoleMenus = defineCall({
  method: 'PUT',
  path: 'core/sys/role/menu/',
  summary: '设置角色拥有的菜单；不能给出自己没有的权限',
  access: 'role:grant',
  input: z.object({ roleId: id, menuIds: z.array(id).max(1000).meta({ title: '菜单' }) }),
  output: z.array(id),
  errors: ['ROLE_BUILT_IN', 'GRANT_TOO_MUCH'],
});

export const menuKind = z.enum(['group', 'screen', 'act']).meta({ title: '类型' });

const menuFields = z.object({
  id,
  parentId: id.nullable(),
  name: z.string(),
  path: z.string(),
  icon: z.string(),
  permission: z.string().nullable(),
  kind: menuKind,
  sort: z.int(),
  enabled: flag,
});
export type Menu = z.output<typeof menuFields> & { children: Menu[] };
export const menu: z.ZodType<Menu> = menuFields
  .extend({
    get children(): z.ZodArray<z.ZodType<Menu>> {
      return z.array(menu);
    },
  })
  .meta({ id: 'Menu' });

const menuInput = z.object({
  parentId: id.nullable().meta({ title: '上级菜单' }),
  name: z.string().trim().min(1).max(30).meta({ title: '菜单名' }),
  path: z
    .string()
    .trim()
    .max(100)
    .regex(/^(\/[a-z0-9/-]*)?$/, '路径以 / 开头，只含小写字母、数字、短横线')
    .meta({ title: '路径' }),
  icon: z
    .string()
    .trim()
    .regex(/^[a-z-]{0,30}$/, '请从图标列表中选择')
    .meta({ title: '图标' }),
  permission: z
    .string()
    .trim()
    .regex(/^[a-z-]+:[a-z-]+$/, '权限的写法是 名词:动词，例如 user:list')
    .nullable()
    .meta({ title: '权限' }),
  kind: menuKind,
  sort,
  enabled,
});

export const listMenus = defineCall({
  method: 'GET',
  path: 'core/sys/menu/',
  summary: '菜单树；带 id：其中一个及其下级',
  access: 'menu:list',
  input: z.object({ id: id.optional() }),
  output: z.union([menu, z.array(menu)]),
});

export const listMyMenus = defineCall({
  method: 'GET',
  path: 'core/sys/menu/mine',
  summary: '当前账号的角色带来的后台菜单',
  access: 'user',
  input: z.object({}),
  output: z.array(menu),
});

export const createMenu = defineCall({
  method: 'POST',
  path: 'core/sys/menu/',
  summary: '新建菜单',
  access: 'menu:create',
  input: menuInput
    .partial()
    .required({ name: true, kind: true })
    .extend({ parentId: id.nullable().default(null) }),
  output: menu,
  errors: ['PERMISSION_TAKEN', 'MENU_MISPLACED', 'GRANT_TOO_MUCH'],
});

export const updateMenu = defineCall({
  method: 'PUT',
  path: 'core/sys/menu/',
  summary: '修改菜单；停用只是不再显示，权限不变',
  access: 'menu:update',
  input: menuInput.partial().extend({ id }),
  output: menu,
  errors: ['PERMISSION_TAKEN', 'MENU_MISPLACED', 'GRANT_TOO_MUCH'],
});

export const removeMenu = defineCall({
  method: 'DELETE',
  path: 'core/sys/menu/',
  summary: '删除菜单；还有下级时不能删除',
  access: 'menu:remove',
  input: z.object({ id }),
  output: done,
  errors: ['MENU_HAS_CHILDREN', 'GRANT_TOO_MUCH'],
});

export const staffAccount = z.object({
  id,
  account: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  displayName: z.string(),
  headImg: z.string(),
  enabled: flag,
  roles: z.array(z.object({ id, name: z.string(), code: z.string(), enabled: flag })),
  roleIds: z.array(id),
  totpOn: z.boolean(),
  mustChangePassword: z.boolean(),
  createdAt: time,
});
export type StaffAccount = z.output<typeof staffAccount>;

const roleIds = z.array(id).max(50).meta({ title: '角色' });

export const listAccounts = defineCall({
  method: 'GET',
  path: 'core/sys/account/',
  summary: '账号列表；带 id：其中一个',
  access: 'account:list',
  input: listInput.extend({
    id: id.optional(),
    keyword,
    roleId: id.optional().meta({ title: '角色' }),
    staff: flag.optional().meta({ title: '只看工作人员' }),
    enabled: enabled.optional(),
    ...sortBy('createdAt'),
  }),
  output: z.union([staffAccount, pageOf(staffAccount)]),
});

export const createAccount = defineCall({
  method: 'POST',
  path: 'core/sys/account/',
  summary: '新建账号；首次登录须修改密码',
  access: 'account:create',
  secret: true,
  input: z.object({
    account,
    password: newPassword,
    displayName: displayName.optional(),
    roleIds: roleIds.default([]),
    enabled: enabled.default(FLAG.on),
  }),
  output: staffAccount,
  errors: ['ACCOUNT_TAKEN', 'GRANT_TOO_MUCH'],
});

export const updateAccount = defineCall({
  method: 'PUT',
  path: 'core/sys/account/',
  summary: '修改账号：昵称、角色、启用、重置密码；停用或改密码后，它的所有登录立即失效',
  access: 'account:update',
  secret: true,
  input: z.object({
    id,
    account: account.optional(),
    password: newPassword.optional(),
    displayName: displayName.optional(),
    roleIds: roleIds.optional(),
    enabled: enabled.optional(),
  }),
  output: staffAccount,
  errors: ['ACCOUNT_TAKEN', 'GRANT_TOO_MUCH', 'LAST_SUPER_ADMIN', 'REAUTH_REQUIRED', 'CHANGE_LOCKED'],
});

export const removeAccount = defineCall({
  method: 'DELETE',
  path: 'core/sys/account/',
  summary: '收回账号的全部角色并停用；内容保留',
  access: 'account:remove',
  input: z.object({ id }),
  output: done,
  errors: ['GRANT_TOO_MUCH', 'LAST_SUPER_ADMIN'],
});

export const calls = [
  listAccounts,
  createAccount,
  updateAccount,
  removeAccount,
  listRoles,
  createRole,
  updateRole,
  removeRole,
  getRoleMenus,
  setRoleMenus,
  listMenus,
  listMyMenus,
  createMenu,
  updateMenu,
  removeMenu,
] as const;
