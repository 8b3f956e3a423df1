import type { TableProps } from 'antd';
import { useState } from 'react';
import { flatten, type TreeRow } from '#admin/lib/filter-and-sort.ts';

interface OpenRowsOptions<T> {
  /** All rows, also those that the search leaves out. */
  rows: readonly T[] | undefined;
  isOpenAtFirst: (row: T) => boolean;
  /** Search and filters as text; empty without any. A search opens every row, and what the user chose before ends. */
  search: string;
}

interface Choices {
  search: string;
  rows: ReadonlyMap<string, { isOpen: boolean; children: number }>;
}

/** Which rows of a tree are open: some at first, then as the user chooses, until a row below them is added. */
export function useOpenRows<T extends TreeRow>({
  rows,
  isOpenAtFirst,
  search,
}: OpenRowsOptions<T>): TableProps<T>['expandable'] {
  const [choices, setChoices] = useState<Choices>({ search, rows: new Map() });
  const [firstCounts, setFirstCounts] = useState<ReadonlyMap<string, number>>();
  const counts = new Map(flatten(rows ?? []).map(({ id, children = [] }) => [id, children.length]));
  if (firstCounts === undefined && rows !== undefined) setFirstCounts(counts);
  const chosen: Choices['rows'] = choices.search === search ? choices.rows : new Map();
  const isOpen = (row: T): boolean => {
    const choice = chosen.get(row.id);
    const before = choice?.children ?? firstCounts?.get(row.id) ?? 0;
    if ((counts.get(row.id) ?? 0) > before) return true;
    return choice?.isOpen ?? (search !== '' || isOpenAtFirst(row));
  };
  return {
    indentSize: 20,
    expandedRowKeys: flatten(rows ?? [])
      .filter(isOpen)
      .map(({ id }) => id),
    onExpand: (isOpen, { id }) =>
      setChoices({ search, rows: new Map(chosen).set(id, { isOpen, children: counts.get(id) ?? 0 }) }),
  };
}
