import { useSyncExternalStore } from 'react';

/** The width from which the styles have room for the menu beside the screen. */
const wide = matchMedia('(min-width: 768px)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** False on phones. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
