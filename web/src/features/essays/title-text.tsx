import type { EssayCard, ListedEssay } from '@mozhan/contract/essays.ts';
import { Fragment } from 'react';
import styles from './title-text.module.css';

interface TitleTextProps extends Pick<EssayCard, 'title' | 'titleBreaks'> {
  marks?: NonNullable<ListedEssay['found']>['title']['marks'];
}

/** A title whose lines end between words, with the matches of a search highlighted. */
export function TitleText({ title, titleBreaks, marks = [] }: TitleTextProps) {
  if (titleBreaks.length === 0 && marks.length === 0) return title;
  const bounds = [...new Set([0, ...titleBreaks, ...marks.flat(), title.length])].sort((a, b) => a - b);
  const parts = bounds.slice(0, -1).map((from, index) => {
    const text = title.slice(from, bounds[index + 1]);
    const isMatch = marks.some(([start, end]) => start <= from && from < end);
    return (
      <Fragment key={from}>
        {titleBreaks.includes(from) ? <wbr /> : null}
        {isMatch ? <mark className={styles.mark}>{text}</mark> : text}
      </Fragment>
    );
  });
  return titleBreaks.length === 0 ? parts : <span className={styles.words}>{parts}</span>;
}
