import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Distance in px that counts as at the end. */
const NEAR_END = 60;
const NEAR_START = 300;

interface ScrollOptions {
  /** Seq of the first message; when older ones are prepended, the scroll position is kept. */
  first: number;
  isEnd: boolean;
  /** Number of messages; a change scrolls to the end if the reader was there. */
  count: number;
  onStart: () => void;
  onEnd: () => void;
}

/** Keeps the log at its end while the reader is there, and at its position while older messages are prepended. */
export function useLogScroll(
  box: RefObject<HTMLElement | null>,
  { first, isEnd, count, onStart, onEnd }: ScrollOptions,
) {
  const [atEnd, setAtEnd] = useState(true);
  const position = useRef({ atEnd: true, first, height: 0, top: 0 });
  const callbacks = useRef({ onStart, onEnd });
  callbacks.current = { onStart, onEnd };

  const onScroll = useCallback(() => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END;
    position.current = { ...position.current, atEnd: isAtEnd, height: scrollHeight, top: scrollTop };
    setAtEnd(isAtEnd);
    if (scrollTop < NEAR_START) callbacks.current.onStart();
    if (isAtEnd) callbacks.current.onEnd();
  }, [box]);

  const scrollToEnd = useCallback(() => {
    if (box.current === null) return;
    box.current.scrollTop = box.current.scrollHeight;
    onScroll();
  }, [box, onScroll]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when messages are added at either end
  useLayoutEffect(() => {
    const { current: log } = box;
    if (log === null) return;
    const before = position.current;
    if (first < before.first) log.scrollTop = before.top + log.scrollHeight - before.height;
    else if (before.atEnd && isEnd) log.scrollTop = log.scrollHeight;
    position.current = { ...before, first, height: log.scrollHeight, top: log.scrollTop };
    onScroll();
  }, [first, count, isEnd]);

  // Images, a growing composer and a rotated phone change the height.
  useEffect(() => {
    const { current: log } = box;
    if (log === null) return;
    const observer = new ResizeObserver(() => {
      if (position.current.atEnd) log.scrollTop = log.scrollHeight;
      position.current.height = log.scrollHeight;
    });
    observer.observe(log);
    if (log.firstElementChild !== null) observer.observe(log.firstElementChild);
    return () => observer.disconnect();
  }, [box]);

  return { atEnd, onScroll, scrollToEnd };
}
