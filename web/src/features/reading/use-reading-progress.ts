import { readUser } from '@mozhan/client/session.ts';
import { type RefObject, useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { readingProgress, storeProgress } from './reading-progress.ts';

const SECOND_MS = 1000;
/** An essay that is visible for so long counts as read. */
const MIN_READ_SECONDS = 5;
/** The shortest interval between two saves of the progress. */
const SAVE_INTERVAL_SECONDS = 15;

const isVisible = () => document.visibilityState === 'visible';

/** Counts the read once, and saves the reader's progress. */
export function useReadingProgress(essayId: string, text: RefObject<Element | null>): void {
  const api = useApi();
  const isHydrated = useHydrated();
  const isServerRendered = useRef(!isHydrated);

  useEffect(() => {
    // A page rendered by the server was visible before its code was loaded.
    let seconds =
      isServerRendered.current && isVisible()
        ? Math.min(MIN_READ_SECONDS - 1, Math.round(performance.now() / SECOND_MS))
        : 0;
    let savedProgress = -1;

    /** Counts the read for the share link by which the reader came. */
    function countSharedRead(): void {
      const code = new URLSearchParams(location.search).get('s');
      if (code !== null) api('POST core/essay/share/read', { code }).catch(() => {});
    }

    function saveProgress(keepalive: boolean): void {
      const progress = text.current === null ? savedProgress : readingProgress(text.current);
      if (progress === savedProgress) return;
      savedProgress = progress;
      if (readUser() === null) storeProgress(essayId, progress);
      // Failures are ignored.
      api('POST core/essay/read', { essayId, progress: progress }, { keepalive }).catch(() => {});
    }

    const timer = setInterval(() => {
      if (!isVisible()) return;
      seconds += 1;
      if (seconds === MIN_READ_SECONDS) countSharedRead();
      if (
        seconds === MIN_READ_SECONDS ||
        (seconds > MIN_READ_SECONDS && seconds % SAVE_INTERVAL_SECONDS === 0)
      )
        saveProgress(false);
    }, SECOND_MS);

    const onHidden = () => {
      if (!isVisible() && seconds >= MIN_READ_SECONDS) saveProgress(true);
    };
    // Phones discard background pages without an unload event.
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onHidden);
      if (seconds >= MIN_READ_SECONDS) saveProgress(true);
    };
  }, [api, essayId, text]);
}
