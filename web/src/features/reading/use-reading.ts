import { readUser } from '@mozhan/client/session.ts';
import { type RefObject, useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { keepPlace, placeIn } from './reading-place.ts';

const SECOND = 1000;
/** In view for so long, it counts as read. */
const READ_SECONDS = 5;
/** How often the reader's place is kept, at the most. */
const KEEP_SECONDS = 15;

const isVisible = () => document.visibilityState === 'visible';

/** Counts the reading once, and keeps the reader's place in the text while it goes on. */
export function useReading(essayId: string, text: RefObject<Element | null>): void {
  const api = useApi();
  const isHydrated = useHydrated();
  const isServers = useRef(!isHydrated);

  useEffect(() => {
    // The server's page was there before its code.
    let seconds =
      isServers.current && isVisible()
        ? Math.min(READ_SECONDS - 1, Math.round(performance.now() / SECOND))
        : 0;
    let kept = -1;

    /** Whoever sent the reader here is told, once. */
    function thank(): void {
      const code = new URLSearchParams(location.search).get('s');
      if (code !== null) api('POST core/essay/share/read', { code }).catch(() => {});
    }

    function keep(keepalive: boolean): void {
      const place = text.current === null ? kept : placeIn(text.current);
      if (place === kept) return;
      kept = place;
      if (readUser() === null) keepPlace(essayId, place);
      // Nobody is to be told when it fails.
      api('POST core/essay/read', { essayId, progress: place }, { keepalive }).catch(() => {});
    }

    const timer = setInterval(() => {
      if (!isVisible()) return;
      seconds += 1;
      if (seconds === READ_SECONDS) thank();
      if (seconds === READ_SECONDS || (seconds > READ_SECONDS && seconds % KEEP_SECONDS === 0)) keep(false);
    }, SECOND);

    const leave = () => {
      if (!isVisible() && seconds >= READ_SECONDS) keep(true);
    };
    // Phones put a page away without ever unloading it.
    document.addEventListener('visibilitychange', leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', leave);
      if (seconds >= READ_SECONDS) keep(true);
    };
  }, [api, essayId, text]);
}
