import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** The comment or reply that the address names; '' for none. */
export const useTarget = (): string =>
  useSyncExternalStore(
    subscribe,
    () => /^#cmt-([0-9a-f]{32})$/.exec(location.hash)?.[1] ?? '',
    () => '',
  );
