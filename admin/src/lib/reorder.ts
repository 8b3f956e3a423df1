interface SortedRow {
  id: string;
  sort: number;
}

/** Sort numbers that change when a row moves up or down by one. */
export function reorder(list: readonly SortedRow[], id: string, by: -1 | 1): SortedRow[] {
  const from = list.findIndex((row) => row.id === id);
  const [one, other] = [list[from], list[from + by]];
  if (one === undefined || other === undefined) return [];
  if (one.sort !== other.sort) {
    return [
      { id: one.id, sort: other.sort },
      { id: other.id, sort: one.sort },
    ];
  }
  // Equal numbers cannot be swapped: renumber all rows.
  const next = list.map((row) => row.id);
  next[from] = other.id;
  next[from + by] = one.id;
  const before = new Map(list.map((row) => [row.id, row.sort]));
  return next.map((each, sort) => ({ id: each, sort })).filter((row) => before.get(row.id) !== row.sort);
}
