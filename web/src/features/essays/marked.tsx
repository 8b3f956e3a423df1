import type { ListedEssay } from '@mozhan/contract/essays.ts';
import styles from './marked.module.css';

type MarkedText = NonNullable<ListedEssay['found']>['title'];

/** A text with what was searched for marked in it. */
export function Marked({ text, marks }: MarkedText) {
  const parts: { from: number; text: string; hit: boolean }[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start > at) parts.push({ from: at, text: text.slice(at, start), hit: false });
    parts.push({ from: start, text: text.slice(start, end), hit: true });
    at = end;
  }
  if (at < text.length) parts.push({ from: at, text: text.slice(at), hit: false });
  return parts.map(({ from, text, hit }) =>
    hit ? (
      <mark key={from} className={styles.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
