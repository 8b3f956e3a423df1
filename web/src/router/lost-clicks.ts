/** How soon, and how often, a button is pressed again that could not answer. */
const PAUSE_MS = 100;
const TRIES = 100;

/** A button that the browser itself answers with a submit needs no second click. */
const submits = ({ type, form }: HTMLButtonElement) => type === 'submit' && form !== null;

/**
 * Clicks on buttons that nothing answers yet are made again. Before the application has started they are kept until it
 * has. After that, React stops a click on its way down to a part that it has yet to take over: the button that it does
 * not reach is pressed again, until it does. Returns what to call when the application has started.
 */
export function repeatLostClicks(): () => void {
  let left = 0;
  let isStarted = false;
  /** Each once: who presses again because nothing happened does not mean to take it back. */
  const early = new Set<HTMLButtonElement>();
  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      if (isTrusted) left = TRIES;
      const button = target instanceof Element ? target.closest('button') : null;
      if (button === null) return;
      if (!isStarted) {
        if (!submits(button)) early.add(button);
        return;
      }
      if (left === 0) return;
      left -= 1;
      const again = setTimeout(() => button.click(), PAUSE_MS);
      button.addEventListener('click', () => clearTimeout(again), { once: true });
    },
    true,
  );
  return () => {
    isStarted = true;
    left = TRIES;
    for (const button of early) button.click();
    // What has the focus already hears of it now.
    document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  };
}
