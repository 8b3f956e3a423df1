import type { ListedEssay } from '@mozhan/contract/essays.ts';
import styles from './title-text.module.css';

type HighlightedTextProps = NonNullable<ListedEssay['found']>['title'];

export function HighlightedText({ text, marks }: HighlightedTextProps) {
  const parts: { from: number; text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start > at) parts.push({ from: at, text: text.slice(at, start), isMatch: false });
    parts.push({ from: start, text: text.slice(start, end), isMatch: true });
    at = end;
  }
  if (at < text.length) parts.push({ from: at, text: text.slice(at), isMatch: false });
  return parts.map(({ from, text, isMatch }) =>
    isMatch ? (
      <mark key={from} className={styles.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
