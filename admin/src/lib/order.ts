interface Sorted {
  id: string;
  sort: number;
}

/** New places for those rows of a list that change theirs when one moves up or down among the others. */
export function moved(list: readonly Sorted[], id: string, by: -1 | 1): Sorted[] {
  const from = list.findIndex((row) => row.id === id);
  const [one, other] = [list[from], list[from + by]];
  if (one === undefined || other === undefined) return [];
  if (one.sort !== other.sort) {
    return [
      { id: one.id, sort: other.sort },
      { id: other.id, sort: one.sort },
    ];
  }
  // Equal ones are in no order that could be swapped: all are numbered anew.
  const next = list.map((row) => row.id);
  next[from] = other.id;
  next[from + by] = one.id;
  const before = new Map(list.map((row) => [row.id, row.sort]));
  return next.map((each, sort) => ({ id: each, sort })).filter((row) => before.get(row.id) !== row.sort);
}
