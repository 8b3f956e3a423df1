/**
 * Events that show that the reader starts to use the page, or changed shared state in another tab. Screen readers send
 * clicks without pointer events.
 */
const interactionEvents = [
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'scroll',
  'keydown',
  'focusin',
  'click',
  'storage',
] as const;

/** Chromium reports a resting pointer as well, when a page appears below it. */
const isAtRest = (event: Event): boolean =>
  event.type === 'pointermove' &&
  event instanceof PointerEvent &&
  event.movementX === 0 &&
  event.movementY === 0;

let interaction: Promise<void> | undefined;

/** Resolves at the reader's first interaction after the first call. */
export function firstInteraction(): Promise<void> {
  interaction ??= new Promise((resolve) => {
    const stop = new AbortController();
    const { signal } = stop;
    const onInteraction = (event: Event) => {
      if (isAtRest(event)) return;
      stop.abort();
      resolve();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onInteraction, { signal });
    for (const sign of interactionEvents)
      addEventListener(sign, onInteraction, { signal, passive: true, capture: true });
  });
  return interaction;
}
