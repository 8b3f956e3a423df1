type Side = 'both' | 'old' | 'new';

interface Difference {
  side: Side;
  text: string;
}

export interface DiffLine extends Difference {
  /** Word differences of a changed line; undefined for added or removed lines. */
  words?: Difference[];
}

/** With more edits, everything old is returned as removed and everything new as added. */
const MAX_EDITS = 1500;

/** Takes at most a second on a slow machine. */
export const MAX_COMPARISONS = 3_000_000;
/** Cost of splitting two lines into words, in comparisons. */
const SPLIT_COST = 100;

/** Remaining comparisons. When none are left, lines are not compared by words. */
interface Budget {
  left: number;
}

/** Minimal difference by lines; in each hunk removed lines come before added ones. */
export function diffLines(
  before: string,
  after: string,
  budget: Budget = { left: MAX_COMPARISONS },
): DiffLine[] {
  const lines = diff(before.split('\n'), after.split('\n'), budget);
  return hunksOf(lines).flatMap((hunk) => withWords(hunk, budget));
}

function hunksOf(differences: Difference[]): Difference[][] {
  const hunks: Difference[][] = [];
  for (const each of differences) {
    const last = hunks[hunks.length - 1];
    if (last !== undefined && (last[0]?.side === 'both') === (each.side === 'both')) last.push(each);
    else hunks.push([each]);
  }
  return hunks;
}

/** Compares the n-th removed line of a hunk with its n-th added line by words. */
function withWords(hunk: Difference[], budget: Budget): DiffLine[] {
  if (hunk[0]?.side === 'both') return hunk;
  const [old, added] = [hunk.filter(({ side }) => side === 'old'), hunk.filter(({ side }) => side === 'new')];
  const pairs = old.map((line, index) => wordsOf(line.text, added[index]?.text ?? '', budget));
  const onSide = (lines: Difference[], side: Side) =>
    lines.map((line, index) => {
      const words = pairs[index]?.filter((word) => word.side === 'both' || word.side === side);
      return words === undefined ? line : { ...line, words };
    });
  return [...onSide(old, 'old'), ...onSide(added, 'new')];
}

/** Lines with a smaller common part are treated as unrelated. */
const MIN_SIMILARITY = 0.4;

const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined;

/** Splits by words if Intl.Segmenter is available, otherwise by characters. */
const split = (line: string): string[] =>
  segmenter === undefined ? [...line] : Array.from(segmenter.segment(line), ({ segment }) => segment);

function wordsOf(before: string, after: string, budget: Budget): Difference[] | undefined {
  if (budget.left <= 0) return undefined;
  budget.left -= SPLIT_COST + before.length + after.length;
  const words = diff(split(before), split(after), budget);
  const commonLength = words.reduce(
    (sum, { side, text }) => sum + (side === 'both' ? text.trim().length : 0),
    0,
  );
  return commonLength < MIN_SIMILARITY * Math.max(before.length, after.length)
    ? undefined
    : mergeBySide(words);
}

/** Joins neighbouring words of the same side, removed before added. */
const mergeBySide = (words: Difference[]): Difference[] =>
  hunksOf(words).flatMap((hunk) =>
    (['both', 'old', 'new'] as const).flatMap((side) => {
      const text = hunk.map((word) => (word.side === side ? word.text : '')).join('');
      return text === '' ? [] : [{ side, text }];
    }),
  );

/** Shortest edit script (Myers 1986). */
function diff(a: readonly string[], b: readonly string[], budget: Budget): Difference[] {
  const maxEdits = Math.min(a.length + b.length, MAX_EDITS);
  /** Furthest x on each diagonal k = x - y. */
  const furthest = new Int32Array(2 * maxEdits + 3);
  const at = (k: number) => k + maxEdits + 1;
  const steps: Int32Array[] = [];
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    steps.push(furthest.slice(at(-edits - 1), at(edits + 1) + 1));
    for (let k = -edits; k <= edits; k += 2) {
      if (budget.left <= 0) return replaceEverything(a, b);
      budget.left -= 1;
      const isAddition =
        k === -edits || (k !== edits && (furthest[at(k - 1)] ?? 0) < (furthest[at(k + 1)] ?? 0));
      let x = isAddition ? (furthest[at(k + 1)] ?? 0) : (furthest[at(k - 1)] ?? 0) + 1;
      for (; x < a.length && x - k < b.length && a[x] === b[x - k]; x += 1) budget.left -= 1;
      furthest[at(k)] = x;
      if (x >= a.length && x - k >= b.length) return trace(a, b, steps);
    }
  }
  return replaceEverything(a, b);
}

function replaceEverything(a: readonly string[], b: readonly string[]): Difference[] {
  const all = (side: Side) => (text: string) => ({ side, text });
  return [...a.map(all('old')), ...b.map(all('new'))];
}

/** Backtracks from the end; `steps` holds the state of `furthest` before each edit. */
function trace(a: readonly string[], b: readonly string[], steps: readonly Int32Array[]): Difference[] {
  const found: Difference[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = steps.length - 1; edits >= 0; edits -= 1) {
    const before = (k: number) => steps[edits]?.[k + edits + 1] ?? 0;
    const k = x - y;
    const isAddition = k === -edits || (k !== edits && before(k - 1) < before(k + 1));
    const startX = edits === 0 ? 0 : isAddition ? before(k + 1) : before(k - 1);
    const startY = edits === 0 ? 0 : startX - (isAddition ? k + 1 : k - 1);
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      found.push({ side: 'both', text: a[x] ?? '' });
    }
    if (x > startX) {
      x -= 1;
      found.push({ side: 'old', text: a[x] ?? '' });
    } else if (y > startY) {
      y -= 1;
      found.push({ side: 'new', text: b[y] ?? '' });
    }
  }
  return found.reverse();
}

export interface KeyChange {
  key: string;
  before: unknown;
  after: unknown;
  changed: boolean;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export function diffKeys(before: unknown, after: unknown): KeyChange[] {
  const [a, b] = [asRecord(before), asRecord(after)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .map((key) => ({
      key,
      before: a[key],
      after: b[key],
      changed: JSON.stringify(a[key]) !== JSON.stringify(b[key]),
    }))
    .sort((one, other) => Number(other.changed) - Number(one.changed));
}
