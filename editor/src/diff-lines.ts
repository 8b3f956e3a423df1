/** A part of the new text that differs from the old one; lines count from 0. */
export interface LineChange {
  kind: 'added' | 'changed' | 'removed';
  /** The first line, and the line after the last; equal where lines were removed. */
  from: number;
  to: number;
}

/** Texts that differ in more lines are compared as a whole, which bounds time and memory. */
const MAX_DISTANCE = 500;

/** Removed and inserted lines in order, by Myers' algorithm; null if the texts differ too much. */
function findEdits(
  before: readonly string[],
  after: readonly string[],
): ('remove' | 'insert' | 'keep')[] | null {
  const [n, m] = [before.length, after.length];
  const max = Math.min(n + m, MAX_DISTANCE);
  const reach = new Int32Array(2 * max + 2);
  const trace: Int32Array[] = [];
  for (let distance = 0; distance <= max; distance += 1) {
    trace.push(reach.slice());
    for (let k = -distance; k <= distance; k += 2) {
      const isDown =
        k === -distance || (k !== distance && (reach[max + k - 1] ?? 0) < (reach[max + k + 1] ?? 0));
      let x = isDown ? (reach[max + k + 1] ?? 0) : (reach[max + k - 1] ?? 0) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) x += 1;
      reach[max + k] = x;
      if (x >= n && x - k >= m) return backtrack(trace, max, n, m);
    }
  }
  return null;
}

function backtrack(trace: readonly Int32Array[], max: number, n: number, m: number) {
  const edits: ('remove' | 'insert' | 'keep')[] = [];
  let [x, y] = [n, m];
  for (let distance = trace.length - 1; distance > 0; distance -= 1) {
    const reach = trace[distance];
    if (reach === undefined) break;
    const k = x - y;
    const isDown =
      k === -distance || (k !== distance && (reach[max + k - 1] ?? 0) < (reach[max + k + 1] ?? 0));
    const previous = isDown ? k + 1 : k - 1;
    const start = reach[max + previous] ?? 0;
    const end = isDown ? start : start + 1;
    while (x > end) {
      edits.push('keep');
      x -= 1;
      y -= 1;
    }
    edits.push(isDown ? 'insert' : 'remove');
    x = start;
    y = start - previous;
  }
  while (x > 0) {
    edits.push('keep');
    x -= 1;
  }
  return edits.reverse();
}

const kindOf = (removed: number, inserted: number): LineChange['kind'] =>
  removed === 0 ? 'added' : inserted === 0 ? 'removed' : 'changed';

/** Compares line by line. */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const maxEnd = Math.min(before.length, after.length) - start;
  while (end < maxEnd && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (old.length === 0 && now.length === 0) return [];
  const whole: LineChange = {
    kind: kindOf(old.length, now.length),
    from: start,
    to: start + now.length,
  };
  if (old.length === 0 || now.length === 0) return [whole];
  const edits = findEdits(old, now);
  if (edits === null) return [whole];
  const changes: LineChange[] = [];
  let line = start;
  for (let index = 0; index < edits.length; ) {
    if (edits[index] === 'keep') {
      line += 1;
      index += 1;
      continue;
    }
    let [removed, inserted] = [0, 0];
    for (; index < edits.length && edits[index] !== 'keep'; index += 1) {
      if (edits[index] === 'remove') removed += 1;
      else inserted += 1;
    }
    changes.push({ kind: kindOf(removed, inserted), from: line, to: line + inserted });
    line += inserted;
  }
  return changes;
}
