import { useState } from 'react';

/**
 * Counts openings, for use as a React key that resets state; and keeps the last value during the closing animation,
 * when the parent has already cleared it.
 */
export function useLastOpened<T>(open: boolean, value: T): { openCount: number; displayed: T } {
  const [state, setState] = useState({ open, openCount: 0, displayed: value });
  const openCount = open && !state.open ? state.openCount + 1 : state.openCount;
  const displayed = open ? value : state.displayed;
  if (open !== state.open || displayed !== state.displayed) setState({ open, openCount, displayed });
  return { openCount, displayed };
}
