import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
/** A row of an unpaged list; rows of a tree have children. */
export interface TreeRow {
  id: string;
  children?: readonly this[] | undefined;
}

const collator = new Intl.Collator('zh-CN', { numeric: true });

/** Compares numbers by size and text by Chinese collation. */
const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));

interface FilterAndSortOptions<T> {
  test: (row: T) => boolean;
  by?: ((row: T) => string | number) | undefined;
  order: SortOrder;
}

/** Filters rows and sorts siblings; in a tree, also keeps the ancestors and descendants of a matching row. */
export function filterAndSort<T extends TreeRow>(
  rows: readonly T[],
  { test, by, order }: FilterAndSortOptions<T>,
): T[] {
  const pick = (list: readonly T[], includesAll: boolean): T[] => {
    const matching = list.flatMap((row) => {
      const passes = includesAll || test(row);
      if (row.children === undefined) return passes ? [row] : [];
      const children = pick(row.children, passes);
      return passes || children.length > 0 ? [{ ...row, children }] : [];
    });
    if (by === undefined) return matching;
    const sign = order === SORT_ORDER.descending ? -1 : 1;
    return matching.sort((one, other) => sign * compare(by(one), by(other)));
  };
  return pick(rows, false);
}

export const flatten = <T extends TreeRow>(rows: readonly T[]): T[] =>
  rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);
