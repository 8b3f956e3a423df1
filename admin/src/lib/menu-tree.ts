import type { Menu } from '@mozhan/contract/access.ts';

/** A menu with everything below it, parents first. */
export const withDescendants = (menu: Menu): Menu[] => [menu, ...menu.children.flatMap(withDescendants)];

export const flatten = (menus: readonly Menu[]): Menu[] => menus.flatMap(withDescendants);

/** A group without a permission only holds others together: giving it gives nothing. */
const isGrantable = (menu: Menu): boolean => menu.kind !== 'group' || menu.permission !== null;

/** Menus a role holds, as boxes: checked by itself, or half because something below is held. */
export function boxesOf(
  menus: readonly Menu[],
  held: ReadonlySet<string>,
): { checked: string[]; halfChecked: string[] } {
  const checked: string[] = [];
  const halfChecked: string[] = [];
  for (const menu of flatten(menus)) {
    const below = withDescendants(menu).slice(1).filter(isGrantable);
    const some = below.some(({ id }) => held.has(id));
    const all = below.length > 0 && below.every(({ id }) => held.has(id));
    if (isGrantable(menu) ? held.has(menu.id) : all) checked.push(menu.id);
    else if (some) halfChecked.push(menu.id);
  }
  return { checked, halfChecked };
}

/** Checking or unchecking a menu takes everything below along, except what one may not touch. */
export function withMenu(
  held: ReadonlySet<string>,
  menu: Menu,
  checked: boolean,
  mayTouch: (menu: Menu) => boolean,
): Set<string> {
  const next = new Set(held);
  for (const each of withDescendants(menu).filter((one) => isGrantable(one) && mayTouch(one))) {
    if (checked) next.add(each.id);
    else next.delete(each.id);
  }
  return next;
}

/** Groups and screens from the top down to the one at `path`; empty when no menu leads there. */
export function trailTo(menus: readonly Menu[], path: string): Menu[] {
  for (const menu of menus) {
    if (menu.kind === 'screen' && menu.path === path) return [menu];
    const below = trailTo(menu.children, path);
    if (below.length > 0) return [menu, ...below];
  }
  return [];
}
