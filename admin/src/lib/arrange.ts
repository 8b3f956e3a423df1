import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
/** A row of a list that comes whole; those of a tree hold others. */
export interface WholeRow {
  id: string;
  children?: readonly this[] | undefined;
}

const collator = new Intl.Collator('zh-CN', { numeric: true });

/** Numbers by size, all else as people look it up. */
const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));

interface Arrangement<T> {
  test: (row: T) => boolean;
  by?: ((row: T) => string | number) | undefined;
  order: SortOrder;
}

/** The rows that pass, sorted among their siblings; of a tree with those above them, and all below one that passes. */
export function arrange<T extends WholeRow>(rows: readonly T[], { test, by, order }: Arrangement<T>): T[] {
  const pick = (list: readonly T[], isWhole: boolean): T[] => {
    const kept = list.flatMap((row) => {
      const passes = isWhole || test(row);
      if (row.children === undefined) return passes ? [row] : [];
      const children = pick(row.children, passes);
      return passes || children.length > 0 ? [{ ...row, children }] : [];
    });
    if (by === undefined) return kept;
    const sign = order === SORT_ORDER.descending ? -1 : 1;
    return kept.sort((one, other) => sign * compare(by(one), by(other)));
  };
  return pick(rows, false);
}

/** A tree as lines, each above those it holds. */
export const flatten = <T extends WholeRow>(rows: readonly T[]): T[] =>
  rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);
