import { type RefObject, useEffect, useRef } from 'react';
import { onScroll } from './on-scroll.ts';
import { readingProgress } from './reading-progress.ts';
import styles from './reading-progress-bar.module.css';

export function ReadingProgressBar({ text }: { text: RefObject<Element | null> }) {
  const bar = useRef<HTMLDivElement>(null);

  useEffect(
    () =>
      onScroll(() => {
        if (bar.current === null || text.current === null) return;
        // A short text counts as read without scrolling, but the bar still starts empty.
        const progress = scrollY === 0 ? 0 : readingProgress(text.current);
        bar.current.style.transform = `scaleX(${progress / 100})`;
      }),
    [text],
  );

  return <div ref={bar} className={`no-print ${styles.bar}`} aria-hidden="true" />;
}
