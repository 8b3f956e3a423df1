import type { Menu } from '@mozhan/contract/access.ts';
import { expect, test } from 'vitest';
import { boxesOf, flatten, trailTo, withMenu } from './menu-tree.ts';

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
const boxes = (...held: string[]) => boxesOf(tree, new Set(held));

test('a group is as full as what it holds', () => {
  expect(boxes('user', 'update')).toEqual({ checked: ['people', 'user', 'update'], halfChecked: [] });
  expect(boxes('user')).toEqual({ checked: ['user'], halfChecked: ['people'] });
  expect(boxes()).toEqual({ checked: [], halfChecked: [] });
});

test('a menu held without its parent leaves the parent half checked', () => {
  expect(boxes('update')).toEqual({ checked: ['update'], halfChecked: ['people', 'user'] });
});

test('checking takes what is below along; a group itself is never held', () => {
  const people = flatten(tree)[0] as Menu;
  const all = withMenu(new Set(['log']), people, true, () => true);
  expect([...all].sort()).toEqual(['log', 'update', 'user']);
  expect([...withMenu(all, user, false, () => true)]).toEqual(['log']);
  expect([...withMenu(new Set(), user, true, (each) => each !== update)]).toEqual(['user']);
});

test('the way to a screen', () => {
  expect(trailTo(tree, '/log').map(({ id }) => id)).toEqual(['system', 'log']);
  expect(trailTo(tree, '/nowhere')).toEqual([]);
});
