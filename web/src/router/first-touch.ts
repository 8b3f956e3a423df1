/**
 * Any of these says that somebody is about to do something with the page, or has changed in another tab what it
 * follows. Screen readers click without a pointer.
 */
const signs = [
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

let touched: Promise<void> | undefined;

/** When the reader first touches anything, watched for since this was first asked. */
export function firstTouch(): Promise<void> {
  touched ??= new Promise((resolve) => {
    const stop = new AbortController();
    const { signal } = stop;
    const onSign = () => {
      stop.abort();
      resolve();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onSign, { signal });
    for (const sign of signs) addEventListener(sign, onSign, { signal, passive: true, capture: true });
  });
  return touched;
}
