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

let interaction: Promise<void> | undefined;

/** Resolves at the reader's first interaction after the first call. */
export function firstInteraction(): Promise<void> {
  interaction ??= new Promise((resolve) => {
    const stop = new AbortController();
    const { signal } = stop;
    const onInteraction = () => {
      stop.abort();
      resolve();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onInteraction, { signal });
    for (const sign of interactionEvents)
      addEventListener(sign, onInteraction, { signal, passive: true, capture: true });
  });
  return interaction;
}
