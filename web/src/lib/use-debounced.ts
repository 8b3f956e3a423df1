import { useEffect, useState } from 'react';

const DEFAULT_DELAY_MS = 200;

/** Returns the value once it has not changed for `delayMs`. */
export function useDebounced(value: string, delayMs = DEFAULT_DELAY_MS): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
