import { type RefObject, useEffect, useRef } from 'react';
import { onScrolled } from './on-scrolled.ts';
import styles from './reading-bar.module.css';
import { placeIn } from './reading-place.ts';

/** A thin line along the top: how much of the text is behind the reader. */
export function ReadingBar({ text }: { text: RefObject<Element | null> }) {
  const bar = useRef<HTMLDivElement>(null);

  useEffect(
    () =>
      onScrolled(() => {
        if (bar.current === null || text.current === null) return;
        // Of a short text too, which is read without scrolling.
        const place = scrollY === 0 ? 0 : placeIn(text.current);
        bar.current.style.transform = `scaleX(${place / 100})`;
      }),
    [text],
  );

  return <div ref={bar} className={`no-print ${styles.bar}`} aria-hidden="true" />;
}
