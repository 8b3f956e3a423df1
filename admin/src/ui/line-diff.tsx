import { useMemo } from 'react';
import { type DiffLine, diffLines } from '#admin/lib/diff.ts';
import styles from './line-diff.module.css';
import { VisibleText } from './visible-text.tsx';

/** Unchanged lines that are kept around a change. */
const AROUND = 2;

interface Part {
  key: number;
  /** Lines, or how many were left out. */
  line: DiffLine | number;
}

/** Long stretches without a change are left out. */
function fold(lines: DiffLine[]): Part[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some((line) => line.side !== 'both');
  const parts: Part[] = [];
  for (const [key, line] of lines.entries()) {
    const last = parts[parts.length - 1];
    if (isNear(key)) parts.push({ key, line });
    else if (last !== undefined && typeof last.line === 'number') last.line += 1;
    else parts.push({ key, line: 1 });
  }
  return parts;
}

const elements = { both: 'span', old: 'del', new: 'ins' } as const;

/** The words that differ stand out from the line that holds them. */
function Words({ line: { text, words } }: { line: DiffLine }) {
  if (words === undefined) return <VisibleText text={text} />;
  return words.map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: of a text that does not change
    <span key={index} className={word.side === 'both' ? undefined : styles.word}>
      <VisibleText text={word.text} />
    </span>
  ));
}

/** What changed between two texts, line by line, and within the lines word by word. */
export function LineDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const parts = useMemo(() => fold(diffLines(before, after)), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {parts.map(({ key, line }) => {
        if (typeof line === 'number') {
          return (
            <span key={key} className={styles.skipped}>
              …… 相同的 {line} 行
            </span>
          );
        }
        const Line = elements[line.side];
        return (
          <Line key={key} className={`${styles.line} ${line.side === 'both' ? '' : styles[line.side]}`}>
            <Words line={line} />
          </Line>
        );
      })}
    </section>
  );
}
