interface Row {
  id: string;
}

/** The list that rows are chosen from, as far as it is seen. */
interface Seen<T> {
  /** Search and filters: another one is another list. */
  scope: string;
  /** Which page of it. */
  page: string;
  /** What is on the page; undefined until it is there. */
  rows: readonly T[] | undefined;
}

export interface Selection<T> extends Seen<T> {
  kept: readonly T[];
}

/** Each as it is now; those that are nowhere any more are let go. */
export function stillIn<T extends Row>(kept: readonly T[], rows: readonly T[]): T[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  return kept.flatMap((row) => known.get(row.id) ?? []);
}

/**
 * What stays chosen when the list is seen anew: nothing of another list; of this one all but what has left the page
 * that is looked at, each as it was seen last. The very same object where nothing has changed.
 */
export function follow<T extends Row>(before: Selection<T>, seen: Seen<T>): Selection<T> {
  if (seen.scope !== before.scope) return { ...seen, kept: [] };
  const { page, rows } = seen;
  if (rows === undefined || (page === before.page && rows === before.rows)) return before;
  // Until its first rows are there, those of the list before are on the screen, and may have been chosen.
  const wereHere = page === before.page ? (before.rows ?? before.kept) : [];
  const elsewhere = before.kept.filter((row) => !wereHere.some(({ id }) => id === row.id));
  return { ...seen, kept: stillIn(before.kept, [...elsewhere, ...rows]) };
}
