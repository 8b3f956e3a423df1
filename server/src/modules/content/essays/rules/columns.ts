/** How many essays of a column the page of an essay shows. */
const MAX_SHOWN = 9;

/**
 * The neighbours of an essay in its column, and the essays around it: as many before as after it where possible. `around`
 * contains the essay and enough others in the order of the column; `position` is that of the essay.
 */
export function placeInColumn<Each extends { id: string }>(around: Each[], id: string, position: number) {
  const at = around.findIndex((each) => each.id === id);
  const last = Math.max(0, around.length - MAX_SHOWN);
  const start = Math.min(Math.max(0, at - Math.floor(MAX_SHOWN / 2)), last);
  return {
    previous: around[at - 1] ?? null,
    next: at < 0 ? null : (around[at + 1] ?? null),
    essays: around
      .map((each, index) => ({ ...each, position: position - at + index }))
      .slice(start, start + MAX_SHOWN),
  };
}
