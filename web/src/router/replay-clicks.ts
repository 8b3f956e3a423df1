const RETRY_DELAY_MS = 100;
const MAX_RETRIES = 100;

/** The browser submits the form itself, so the click must not be repeated. */
const isSubmitButton = ({ type, form }: HTMLButtonElement) => type === 'submit' && form !== null;

/**
 * Repeats clicks on buttons that are not hydrated yet. Clicks before the application starts are queued. After that,
 * React stops the propagation of clicks to parts that are not hydrated: such a click is repeated until the button
 * receives it. Returns a function to call when the application has started.
 */
export function replayClicks(): () => void {
  let retriesLeft = 0;
  let isStarted = false;
  /** A set, because a second click on an unresponsive button is not meant to undo the first. */
  const earlyClicks = new Set<HTMLButtonElement>();
  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      if (isTrusted) retriesLeft = MAX_RETRIES;
      const button = target instanceof Element ? target.closest('button') : null;
      if (button === null) return;
      if (!isStarted) {
        if (!isSubmitButton(button)) earlyClicks.add(button);
        return;
      }
      if (retriesLeft === 0) return;
      retriesLeft -= 1;
      const retry = setTimeout(() => button.click(), RETRY_DELAY_MS);
      button.addEventListener('click', () => clearTimeout(retry), { once: true });
    },
    true,
  );
  return () => {
    isStarted = true;
    retriesLeft = MAX_RETRIES;
    for (const button of earlyClicks) button.click();
    // The application has missed the focus event of the active element.
    document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  };
}
