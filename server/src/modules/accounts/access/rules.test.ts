import { describe, expect, test } from 'vitest';
import {
  canGrant,
  checkMenu,
  checkMenuManageable,
  checkPermissionChange,
  checkRoleChange,
  filterVisibleMenus,
} from './rules.ts';
import type { Menu, Role } from './tables.ts';

const menu = (id: string, parentId: string | null, kind: Menu['kind'], more: Partial<Menu> = {}): Menu => ({
  id,
  parentId,
  kind,
  code: null,
  name: id,
  path: kind === 'screen' ? `/${id}` : '',
  icon: '',
  permission: kind === 'group' ? null : `${id}:list`,
  sort: 0,
  enabled: true,
  ...more,
});

const superActor = { isSuper: true, isStaff: true, permissions: [] };
const actor = (...permissions: string[]) => ({ isSuper: false, isStaff: true, permissions });
const role = (code: string, more: Partial<Role> = {}) => ({
  id: code,
  code,
  name: code,
  enabled: true,
  builtIn: false,
  createdAt: new Date(),
  permissions: [] as string[],
  ...more,
});

describe('granting permissions', () => {
  test('allows only own permissions and never the super role', () => {
    const pair = [{ ...role('a'), permissions: ['x:list', 'y:list'] }];
    expect(canGrant(actor('x:list', 'y:list'), pair)).toBe(true);
    expect(canGrant(actor('x:list'), pair)).toBe(false);
    expect(canGrant(actor('x:list'), [])).toBe(true);
    expect(canGrant(actor('x:list'), [role('super')])).toBe(false);
    expect(canGrant(superActor, [...pair, role('super')])).toBe(true);
  });

  test('refuses to change the code of a built-in role or to disable the super role', () => {
    const operator = role('operator', { builtIn: true });
    expect(() => checkRoleChange(superActor, operator, { code: 'other' })).toThrow('内置角色的编码不能修改');
    expect(() => checkRoleChange(superActor, operator, { code: 'operator', enabled: false })).not.toThrow();
    const supers = role('super', { builtIn: true });
    expect(() => checkRoleChange(superActor, supers, { enabled: false })).toThrow('超级管理员角色不能停用');
    expect(() => checkRoleChange(superActor, supers, { enabled: true })).not.toThrow();
  });

  test('lets only a super administrator assign a built-in role without permissions', () => {
    const finance = { id: '1', name: '财务', code: 'finance', builtIn: true, permissions: [] };
    expect(canGrant(actor('account:update'), [finance])).toBe(false);
    expect(canGrant(superActor, [finance])).toBe(true);
    expect(canGrant(actor('account:update'), [{ ...finance, builtIn: false }])).toBe(true);
  });

  test('checks the permissions below a menu and reserves shared menus for super administrators', () => {
    const group = menu('system', null, 'group', { code: 'system' });
    const below = menu('account', 'system', 'screen');
    const home = menu('home', null, 'screen', { code: 'home', permission: null });
    const own = menu('own', null, 'group');
    const all = [group, below, home, own];
    expect(() => checkMenuManageable(actor('menu:update'), group, all)).toThrow('自己没有的权限');
    expect(() => checkMenuManageable(actor('account:list'), group, all)).not.toThrow();
    expect(() => checkMenuManageable(actor('menu:update'), home, all)).toThrow('只有超级管理员');
    expect(() => checkMenuManageable(superActor, home, all)).not.toThrow();
    expect(() => checkMenuManageable(actor('menu:update'), own, all)).not.toThrow();
  });

  test('lets only a super administrator remove a permission that a call requires', () => {
    expect(() => checkPermissionChange(actor('role:list'), 'role:list', 'role:list')).not.toThrow();
    expect(() => checkPermissionChange(actor('role:list'), 'role:list', null)).toThrow('只有超级管理员');
    expect(() => checkPermissionChange(superActor, 'role:list', null)).not.toThrow();
    expect(() => checkPermissionChange(actor('own:list'), 'own:list', null)).not.toThrow();
    expect(() => checkPermissionChange(actor(), 'own:list', null)).toThrow('自己没有的权限');
    expect(() => checkPermissionChange(actor(), null, 'own:list')).toThrow('自己没有的权限');
  });
});

describe('menu positions', () => {
  const all = [
    menu('group', null, 'group'),
    menu('inner', 'group', 'group'),
    menu('deep', 'inner', 'group'),
    menu('screen', 'inner', 'screen'),
    menu('act', 'screen', 'act'),
  ];

  test.each([
    [menu('new', null, 'group')],
    [menu('new', 'inner', 'group')],
    [menu('new', null, 'screen')],
    [menu('new', 'group', 'screen')],
    [menu('new', 'screen', 'act')],
    [menu('deep', null, 'group')],
    [menu('screen', null, 'screen')],
  ])('accepts %o', (each) => {
    expect(() => checkMenu(each, all)).not.toThrow();
  });

  test.each([
    ['a group in a screen', menu('new', 'screen', 'group')],
    ['a screen in a screen', menu('new', 'screen', 'screen')],
    ['a screen in an act', menu('new', 'act', 'screen')],
    ['an act at the top', menu('new', null, 'act')],
    ['an act in a group', menu('new', 'group', 'act')],
    ['an act in an act', menu('new', 'act', 'act')],
    ['a group in itself', menu('group', 'group', 'group')],
    ['a group in one it holds', menu('group', 'deep', 'group')],
    ['a screen that has acts as a group', menu('screen', 'inner', 'group')],
    ['a group that has groups as a screen', menu('group', null, 'screen', { path: '/group' })],
  ])('rejects %s', (_, each) => {
    expect(() => checkMenu(each, all)).toThrow(expect.objectContaining({ code: 'MENU_MISPLACED' }));
  });

  test.each([
    ['permission', menu('new', 'screen', 'act', { permission: null })],
    ['path', menu('new', null, 'screen', { path: '' })],
    ['parentId', menu('new', 'nowhere', 'screen')],
  ])('rejects a menu without a valid %s', (field, each) => {
    expect(() => checkMenu(each, all)).toThrow(
      expect.objectContaining({ code: 'INVALID', fields: { [field]: expect.any(String) } }),
    );
  });
});

describe('visible menus', () => {
  const all = [
    menu('home', null, 'screen', { path: '/', permission: null }),
    menu('group', null, 'group'),
    menu('inner', 'group', 'group'),
    menu('books', 'inner', 'screen'),
    menu('lend', 'books', 'act'),
    menu('notes', 'group', 'screen', { permission: null }),
    menu('empty', null, 'group'),
  ];
  const see = (viewer: Parameters<typeof filterVisibleMenus>[1], granted: string[] = [], list = all) =>
    filterVisibleMenus(list, viewer, new Set(granted)).map((each) => each.id);

  test('shows the dashboard to all staff and nobody else', () => {
    expect(see(actor())).toEqual(['home']);
    expect(see({ isStaff: false, isSuper: false, permissions: [] })).toEqual([]);
  });

  test('shows a screen by its permission or that of an action, with its groups and without actions', () => {
    expect(see(actor('books:list'))).toEqual(['home', 'group', 'inner', 'books']);
    expect(see(actor('lend:list'))).toEqual(['home', 'group', 'inner', 'books']);
  });

  test('shows a screen without a permission when a role contains it', () => {
    expect(see(actor(), ['notes'])).toEqual(['home', 'group', 'notes']);
    expect(see(actor(), ['group', 'inner'])).toEqual(['home']);
  });

  test('shows a super administrator everything except empty groups', () => {
    expect(see(superActor)).toEqual(['home', 'group', 'inner', 'books', 'notes']);
  });

  test('hides a disabled menu with its children, but keeps the screen of a disabled action', () => {
    const without = (id: string) => all.map((each) => ({ ...each, enabled: each.id !== id }));
    expect(see(superActor, [], without('group'))).toEqual(['home']);
    expect(see(superActor, [], without('books'))).toEqual(['home', 'group', 'notes']);
    expect(see(superActor, [], without('home'))).toEqual(['group', 'inner', 'books', 'notes']);
    expect(see(actor('lend:list'), [], without('lend'))).toEqual(['home', 'group', 'inner', 'books']);
  });
});
