import type { TableProps } from 'antd';
import { useState } from 'react';
import { flatten, type TreeRow } from '#admin/lib/filter-and-sort.ts';

interface OpenRowsOptions<T> {
  rows: readonly T[] | undefined;
  isOpenAtFirst: (row: T) => boolean;
  /** Opens every row, because the search may have found what is below it. */
  isFiltered: boolean;
}

/** Which rows of a tree are open: some at first, those that got another row below them, and as the user chooses. */
export function useOpenRows<T extends TreeRow>({
  rows,
  isOpenAtFirst,
  isFiltered,
}: OpenRowsOptions<T>): TableProps<T>['expandable'] {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [firstCounts, setFirstCounts] = useState<ReadonlyMap<string, number>>();
  const parents = flatten(rows ?? []).filter((row) => row.children !== undefined);
  const countOf = (row: T) => row.children?.length ?? 0;
  if (firstCounts === undefined && rows !== undefined)
    setFirstCounts(new Map(parents.map((row) => [row.id, countOf(row)])));
  const isOpen = (row: T): boolean => {
    const isOpenByItself = isFiltered || isOpenAtFirst(row) || countOf(row) > (firstCounts?.get(row.id) ?? 0);
    return isOpenByItself !== toggled.has(row.id);
  };
  return {
    indentSize: 20,
    expandedRowKeys: parents.filter(isOpen).map(({ id }) => id),
    onExpand: (_, { id }) => setToggled(toggled.symmetricDifference(new Set([id]))),
  };
}
