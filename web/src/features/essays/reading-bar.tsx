import { type RefObject, useEffect, useRef } from 'react';
import styles from './reading-bar.module.css';
import { placeIn } from './reading-place.ts';

/** A thin line along the top: how much of the text is behind the reader. */
export function ReadingBar({ text }: { text: RefObject<Element | null> }) {
  const bar = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let frame = 0;
    const draw = () => {
      frame = 0;
      if (bar.current && text.current) bar.current.style.transform = `scaleX(${placeIn(text.current) / 100})`;
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(draw);
    };
    draw();
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('resize', onScroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', onScroll);
    };
  }, [text]);

  return <div ref={bar} className={styles.bar} aria-hidden="true" />;
}
