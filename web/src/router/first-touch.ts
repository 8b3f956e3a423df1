/** Any of these says that somebody is about to do something with the page. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'] as const;

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
    for (const sign of signs) addEventListener(sign, onSign, { signal, passive: true, capture: true });
  });
  return touched;
}
