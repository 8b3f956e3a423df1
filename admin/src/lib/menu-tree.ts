import type { Menu } from '@mozhan/contract/access.ts';

export const withDescendants = (menu: Menu): Menu[] => [menu, ...menu.children.flatMap(withDescendants)];

export const flatten = (menus: readonly Menu[]): Menu[] => menus.flatMap(withDescendants);

/** A group without a permission cannot be granted. */
const isGrantable = (menu: Menu): boolean => menu.kind !== 'group' || menu.permission !== null;

/** Checkbox states of the menus granted to a role: checked, or half checked when only descendants are granted. */
export function checkboxStates(
  menus: readonly Menu[],
  granted: ReadonlySet<string>,
): { checked: string[]; halfChecked: string[] } {
  const checked: string[] = [];
  const halfChecked: string[] = [];
  for (const menu of flatten(menus)) {
    const below = withDescendants(menu).slice(1).filter(isGrantable);
    const some = below.some(({ id }) => granted.has(id));
    const all = below.length > 0 && below.every(({ id }) => granted.has(id));
    if (isGrantable(menu) ? granted.has(menu.id) : all) checked.push(menu.id);
    else if (some) halfChecked.push(menu.id);
  }
  return { checked, halfChecked };
}

/** Checks or unchecks a menu with all descendants, except those that the viewer may not grant. */
export function setMenuChecked(
  granted: ReadonlySet<string>,
  menu: Menu,
  checked: boolean,
  mayGrant: (menu: Menu) => boolean,
): Set<string> {
  const next = new Set(granted);
  for (const each of withDescendants(menu).filter((one) => isGrantable(one) && mayGrant(one))) {
    if (checked) next.add(each.id);
    else next.delete(each.id);
  }
  return next;
}

/** Menus from the top level down to the screen at `path`; empty when there is none. */
export function menuPathTo(menus: readonly Menu[], path: string): Menu[] {
  for (const menu of menus) {
    if (menu.kind === 'screen' && menu.path === path) return [menu];
    const below = menuPathTo(menu.children, path);
    if (below.length > 0) return [menu, ...below];
  }
  return [];
}
