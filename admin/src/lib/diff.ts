export interface DiffLine {
  /** In both, only in the first text, or only in the second. */
  side: 'both' | 'old' | 'new';
  text: string;
}

/** Above this, both texts as a whole: the table below would grow too large. */
const MOST_CELLS = 4_000_000;

/** Line by line, by the longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length * b.length > MOST_CELLS) {
    return [...a.map((text) => toLine('old', text)), ...b.map((text) => toLine('new', text))];
  }
  const width = b.length + 1;
  /** Length of the longest common subsequence of what is left from each place on. */
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push(toLine('both', left));
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push(toLine('old', left));
      i += 1;
    } else if (right !== undefined) {
      lines.push(toLine('new', right));
      j += 1;
    }
  }
  return lines;
}

const toLine = (side: DiffLine['side'], text: string): DiffLine => ({ side, text });

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
