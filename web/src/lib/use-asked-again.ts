import { useEffect, useRef } from 'react';
import { useCurrentUser } from './session.ts';
import { useHydrated } from './use-hydrated.ts';

/** The server's page is a visitor's, so whoever is signed in asks once more: for what is between them and others. */
export function useAskedAgain(refetch: () => unknown): void {
  const isSignedIn = useCurrentUser() !== null;
  const isHydrated = useHydrated();
  const isVisitors = useRef(!isHydrated);

  useEffect(() => {
    if (!isSignedIn || !isVisitors.current) return;
    isVisitors.current = false;
    void refetch();
  }, [isSignedIn, refetch]);
}
