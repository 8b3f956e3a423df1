import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

/** What is being typed, once it has stood for a moment. */
export function useSettled(value: string, pauseMs = PAUSE_MS): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
