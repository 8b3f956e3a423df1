import { useMemo } from 'react';
import { type DiffLine, diffLines } from '#admin/lib/diff.ts';
import styles from './line-diff.module.css';
import { VisibleText } from './visible-text.tsx';

const CONTEXT_LINES = 2;

interface Part {
  key: number;
  /** A line, or the number of skipped lines. */
  line: DiffLine | number;
}

/** Collapses unchanged lines that are not near a change. */
function collapse(lines: DiffLine[]): Part[] {
  const isNear = (index: number) =>
    lines
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some((line) => line.side !== 'both');
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

function Words({ line: { text, words } }: { line: DiffLine }) {
  if (words === undefined) return <VisibleText text={text} />;
  return words.map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    <span key={index} className={word.side === 'both' ? undefined : styles.word}>
      <VisibleText text={word.text} />
    </span>
  ));
}

/** Difference of two texts by lines, and by words within lines. */
export function LineDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const parts = useMemo(() => collapse(diffLines(before, after)), [before, after]);
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
