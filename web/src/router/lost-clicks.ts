/** How soon, and how often, a button is pressed again that could not answer. */
const PAUSE_MS = 100;
const TRIES = 100;

/**
 * React stops a click on its way down to a part that it has yet to take over. The button that it does not reach is
 * pressed again, until it does.
 */
export function repeatLostClicks(): void {
  let left = 0;
  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      if (isTrusted) left = TRIES;
      const button = target instanceof Element ? target.closest('button') : null;
      if (button === null || left === 0) return;
      left -= 1;
      const again = setTimeout(() => button.click(), PAUSE_MS);
      button.addEventListener('click', () => clearTimeout(again), { once: true });
    },
    true,
  );
}
