import type { Menu } from '@mozhan/contract/access.ts';
import { expect, test } from 'vitest';
import { checkboxStates, flatten, menuPathTo, setMenuChecked } from './menu-tree.ts';

const menu = (id: string, kind: Menu['kind'], permission: string | null, children: Menu[] = []): Menu => ({
  id,
  parentId: null,
  name: id,
  path: kind === 'screen' ? `/${id}` : '',
  icon: '',
  permission,
  kind,
  sort: 0,
  enabled: 1,
  children,
});

const update = menu('update', 'act', 'user:update');
const user = menu('user', 'screen', 'user:list', [update]);
const log = menu('log', 'screen', 'log:list');
const tree = [menu('people', 'group', null, [user]), menu('system', 'group', null, [log])];
const states = (...granted: string[]) => checkboxStates(tree, new Set(granted));

test('a group is checked, half checked or unchecked by its menus', () => {
  expect(states('user', 'update')).toEqual({ checked: ['people', 'user', 'update'], halfChecked: [] });
  expect(states('user')).toEqual({ checked: ['user'], halfChecked: ['people'] });
  expect(states()).toEqual({ checked: [], halfChecked: [] });
});

test('a menu granted without its parent leaves the parent half checked', () => {
  expect(states('update')).toEqual({ checked: ['update'], halfChecked: ['people', 'user'] });
});

test('checking a menu includes its descendants; a group itself is never granted', () => {
  const people = flatten(tree)[0] as Menu;
  const all = setMenuChecked(new Set(['log']), people, true, () => true);
  expect([...all].sort()).toEqual(['log', 'update', 'user']);
  expect([...setMenuChecked(all, user, false, () => true)]).toEqual(['log']);
  expect([...setMenuChecked(new Set(), user, true, (each) => each !== update)]).toEqual(['user']);
});

test('returns the menus that lead to a screen', () => {
  expect(menuPathTo(tree, '/log').map(({ id }) => id)).toEqual(['system', 'log']);
  expect(menuPathTo(tree, '/nowhere')).toEqual([]);
});
