interface Row {
  id: string;
}

interface LoadedList<T> {
  /** Search and filters; a change clears the selection. */
  scope: string;
  page: string;
  /** Rows of the page; undefined until loaded. */
  rows: readonly T[] | undefined;
}

export interface Selection<T> extends LoadedList<T> {
  selected: readonly T[];
}

/** Replaces selected rows by their current data and drops those that no longer exist. */
export function refreshRows<T extends Row>(selected: readonly T[], rows: readonly T[]): T[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  return selected.flatMap((row) => known.get(row.id) ?? []);
}

/**
 * Updates the selection after the list was loaded: clears it for another list, drops rows that disappeared from the
 * current page, and updates the others. Returns the same object when nothing changed.
 */
export function updateSelection<T extends Row>(before: Selection<T>, loaded: LoadedList<T>): Selection<T> {
  if (loaded.scope !== before.scope) return { ...loaded, selected: [] };
  const { page, rows } = loaded;
  if (rows === undefined || (page === before.page && rows === before.rows)) return before;
  // Until the first rows are loaded, rows of the previous list are displayed and may have been selected.
  const wereHere = before.rows === undefined ? before.selected : page === before.page ? before.rows : [];
  const elsewhere = before.selected.filter((row) => !wereHere.some(({ id }) => id === row.id));
  return { ...loaded, selected: refreshRows(before.selected, [...elsewhere, ...rows]) };
}
