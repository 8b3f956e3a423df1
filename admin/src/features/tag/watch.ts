import { useEffect } from 'react';
import { useRefresh } from '#admin/lib/queries.ts';

const WATCH_MS = 2000;

/** Asks again until all is done. */
export function Watch({ isMoving }: { isMoving: boolean }) {
  const refresh = useRefresh();
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => void refresh(), WATCH_MS);
    return () => clearInterval(timer);
  }, [isMoving, refresh]);
  return null;
}
