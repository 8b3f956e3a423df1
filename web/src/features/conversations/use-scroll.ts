import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This close to the end counts as there. */
const NEAR_END = 60;
const NEAR_START = 300;

interface ScrollOptions {
  /** The first message that is shown: when it changes to an older one, the place is kept. */
  first: number;
  /** The end that is shown has nothing after it. */
  isEnd: boolean;
  /** How much is shown: more at the end is followed by who is there. */
  count: number;
  onStart: () => void;
  onEnd: () => void;
}

/** Keeps a log at its end while one is there, and in its place while older messages are put before. */
export function useScroll(
  box: RefObject<HTMLElement | null>,
  { first, isEnd, count, onStart, onEnd }: ScrollOptions,
) {
  const [atEnd, setAtEnd] = useState(true);
  const place = useRef({ atEnd: true, first, height: 0, top: 0 });
  const near = useRef({ onStart, onEnd });
  near.current = { onStart, onEnd };

  const note = useCallback(() => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    const isThere = scrollHeight - scrollTop - clientHeight < NEAR_END;
    place.current = { ...place.current, atEnd: isThere, height: scrollHeight, top: scrollTop };
    setAtEnd(isThere);
    if (scrollTop < NEAR_START) near.current.onStart();
    if (isThere) near.current.onEnd();
  }, [box]);

  const toEnd = useCallback(() => {
    if (box.current === null) return;
    box.current.scrollTop = box.current.scrollHeight;
    note();
  }, [box, note]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something is added at one of the ends
  useLayoutEffect(() => {
    const { current: log } = box;
    if (log === null) return;
    const before = place.current;
    if (first < before.first) log.scrollTop = before.top + log.scrollHeight - before.height;
    else if (before.atEnd && isEnd) log.scrollTop = log.scrollHeight;
    place.current = { ...before, first, height: log.scrollHeight, top: log.scrollTop };
    note();
  }, [first, count, isEnd]);

  // Pictures, a growing composer and a turned phone change what fits.
  useEffect(() => {
    const { current: log } = box;
    if (log === null) return;
    const observer = new ResizeObserver(() => {
      if (place.current.atEnd) log.scrollTop = log.scrollHeight;
      place.current.height = log.scrollHeight;
    });
    observer.observe(log);
    if (log.firstElementChild !== null) observer.observe(log.firstElementChild);
    return () => observer.disconnect();
  }, [box]);

  return { atEnd, note, toEnd };
}
