type Side = 'both' | 'old' | 'new';

/** In both, only in the first text, or only in the second. */
interface Difference {
  side: Side;
  text: string;
}

export interface DiffLine extends Difference {
  /** Of a line that was changed rather than added or removed: which of its words differ. */
  words?: Difference[];
}

/** Texts that differ in more lines, lines in more words, are shown one after the other. */
const MOST_EDITS = 1500;

/** At most a second on a slow machine. */
export const MOST_COMPARISONS = 3_000_000;
/** To find the words of two lines takes as long as this many comparisons. */
const SPLIT_COST = 100;

/** Comparisons that may still be made of two texts. Once there are none left, lines are shown as a whole. */
interface Budget {
  left: number;
}

/** Line by line, the fewest changes; in each place what was removed comes before what was added. */
export function diffLines(
  before: string,
  after: string,
  budget: Budget = { left: MOST_COMPARISONS },
): DiffLine[] {
  const lines = diff(before.split('\n'), after.split('\n'), budget);
  return hunksOf(lines).flatMap((hunk) => withWords(hunk, budget));
}

/** Stretches of the same, and of changes. */
function hunksOf(differences: Difference[]): Difference[][] {
  const hunks: Difference[][] = [];
  for (const each of differences) {
    const last = hunks[hunks.length - 1];
    if (last !== undefined && (last[0]?.side === 'both') === (each.side === 'both')) last.push(each);
    else hunks.push([each]);
  }
  return hunks;
}

/** Of a stretch of changes, the lines that stand for each other are compared word by word. */
function withWords(hunk: Difference[], budget: Budget): DiffLine[] {
  if (hunk[0]?.side === 'both') return hunk;
  const [old, fresh] = [hunk.filter(({ side }) => side === 'old'), hunk.filter(({ side }) => side === 'new')];
  const pairs = old.map((line, index) => wordsOf(line.text, fresh[index]?.text ?? '', budget));
  const onSide = (lines: Difference[], side: Side) =>
    lines.map((line, index) => {
      const words = pairs[index]?.filter((word) => word.side === 'both' || word.side === side);
      return words === undefined ? line : { ...line, words };
    });
  return [...onSide(old, 'old'), ...onSide(fresh, 'new')];
}

/** Lines that have less in common are different lines. */
const ALIKE = 0.4;

const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined;

/** By words where the browser knows them, else by characters. */
const split = (line: string): string[] =>
  segmenter === undefined ? [...line] : Array.from(segmenter.segment(line), ({ segment }) => segment);

function wordsOf(before: string, after: string, budget: Budget): Difference[] | undefined {
  if (budget.left <= 0) return undefined;
  budget.left -= SPLIT_COST + before.length + after.length;
  const words = diff(split(before), split(after), budget);
  const kept = words.reduce((sum, { side, text }) => sum + (side === 'both' ? text.trim().length : 0), 0);
  return kept < ALIKE * Math.max(before.length, after.length) ? undefined : merged(words);
}

/** Neighbours of one side as one, the removed before the added. */
const merged = (words: Difference[]): Difference[] =>
  hunksOf(words).flatMap((hunk) =>
    (['both', 'old', 'new'] as const).flatMap((side) => {
      const text = hunk.map((word) => (word.side === side ? word.text : '')).join('');
      return text === '' ? [] : [{ side, text }];
    }),
  );

/** The fewest removals and additions that lead from one to the other (Myers 1986). */
function diff(a: readonly string[], b: readonly string[], budget: Budget): Difference[] {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  /** How far each diagonal has been followed; `k` is the place in the first less the place in the second. */
  const reach = new Int32Array(2 * most + 3);
  const at = (k: number) => k + most + 1;
  const steps: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    steps.push(reach.slice(at(-edits - 1), at(edits + 1) + 1));
    for (let k = -edits; k <= edits; k += 2) {
      if (budget.left <= 0) return oneAfterTheOther(a, b);
      budget.left -= 1;
      const isAddition = k === -edits || (k !== edits && (reach[at(k - 1)] ?? 0) < (reach[at(k + 1)] ?? 0));
      let x = isAddition ? (reach[at(k + 1)] ?? 0) : (reach[at(k - 1)] ?? 0) + 1;
      for (; x < a.length && x - k < b.length && a[x] === b[x - k]; x += 1) budget.left -= 1;
      reach[at(k)] = x;
      if (x >= a.length && x - k >= b.length) return trace(a, b, steps);
    }
  }
  return oneAfterTheOther(a, b);
}

function oneAfterTheOther(a: readonly string[], b: readonly string[]): Difference[] {
  const all = (side: Side) => (text: string) => ({ side, text });
  return [...a.map(all('old')), ...b.map(all('new'))];
}

/** The way back from the end: `steps` holds what `reach` was around its diagonals before each edit. */
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

/** Every key of both records, those that differ first. */
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
