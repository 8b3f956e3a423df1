import { useEffect, useRef } from 'react';
import { useCurrentUser } from './session.ts';
import { useHydrated } from './use-hydrated.ts';

/** Server-rendered data is a visitor's; for signed-in users it is refetched once, to include their own relations. */
export function useRefetchWhenSignedIn(refetch: () => unknown): void {
  const isSignedIn = useCurrentUser() !== null;
  const isHydrated = useHydrated();
  const isVisitorData = useRef(!isHydrated);

  useEffect(() => {
    if (!isSignedIn || !isVisitorData.current) return;
    isVisitorData.current = false;
    void refetch();
  }, [isSignedIn, refetch]);
}
