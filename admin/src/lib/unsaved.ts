import { useEffect, useEffectEvent } from 'react';
import { useApp } from './app-context.ts';

/** Asks before navigation or closing the tab discards unsaved input. */
export function useUnsavedGuard(isDirty: () => boolean, ask: () => Promise<boolean>): void {
  const { router } = useApp();
  const mayLeave = useEffectEvent(async () => !isDirty() || ask());
  const onUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isDirty()) event.preventDefault();
  });
  useEffect(() => {
    const release = router.guard(() => mayLeave());
    const warn = (event: BeforeUnloadEvent) => onUnload(event);
    addEventListener('beforeunload', warn);
    return () => {
      release();
      removeEventListener('beforeunload', warn);
    };
  }, [router]);
}
