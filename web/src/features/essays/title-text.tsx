import type { EssayCard, ListedEssay } from '@mozhan/contract/essays.ts';
import { Fragment, type ReactNode } from 'react';
import styles from './title-text.module.css';

interface TitleTextProps extends Pick<EssayCard, 'title' | 'titleBreaks'> {
  marks?: NonNullable<ListedEssay['found']>['title']['marks'];
}

const isHan = (character: string) => /\p{Script=Han}/u.test(character);
const isLatin = (character: string) => /[\p{Script=Latin}\d]/u.test(character);

/** Whether Chinese and Latin letters meet before this position. */
function isScriptChange(title: string, at: number): boolean {
  const [before, after] = [title.charAt(at - 1), title.charAt(at)];
  return (isHan(before) && isLatin(after)) || (isLatin(before) && isHan(after));
}

/** A title whose lines end between words, with the matches of a search highlighted. */
export function TitleText({ title, titleBreaks, marks = [] }: TitleTextProps) {
  if (titleBreaks.length === 0 && marks.length === 0) return title;
  const bounds = [...new Set([0, ...titleBreaks, ...marks.flat(), title.length])].sort((a, b) => a - b);
  // Between two spans lines may end without `wbr`, which would remove the gap between Chinese and Latin letters.
  const spans: { from: number; parts: ReactNode[] }[] = [];
  for (const [index, from] of bounds.slice(0, -1).entries()) {
    const isBreak = titleBreaks.includes(from);
    const startsSpan = from === 0 || (isBreak && isScriptChange(title, from));
    if (startsSpan) spans.push({ from, parts: [] });
    const text = title.slice(from, bounds[index + 1]);
    const isMatch = marks.some(([start, end]) => start <= from && from < end);
    spans.at(-1)?.parts.push(
      <Fragment key={from}>
        {isBreak && !startsSpan ? <wbr /> : null}
        {isMatch ? <mark className={styles.mark}>{text}</mark> : text}
      </Fragment>,
    );
  }
  if (titleBreaks.length === 0) return spans.map(({ parts }) => parts);
  return spans.map(({ from, parts }) => (
    <span key={from} className={styles.words}>
      {parts}
    </span>
  ));
}
