import { useState } from 'react';

/**
 * Counts how often something was opened, to start it afresh each time; and keeps what it was opened with while it
 * closes, when its owner has let go of it already.
 */
export function useOpenings<T>(open: boolean, given: T): { turn: number; shown: T } {
  const [state, setState] = useState({ open, turn: 0, shown: given });
  const turn = open && !state.open ? state.turn + 1 : state.turn;
  const shown = open ? given : state.shown;
  if (open !== state.open || shown !== state.shown) setState({ open, turn, shown });
  return { turn, shown };
}
