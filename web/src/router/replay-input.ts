const RETRY_DELAY_MS = 100;
const MAX_RETRIES = 100;

/** The browser submits the form itself, so the click must not be repeated. */
const isSubmitButton = ({ type, form }: HTMLButtonElement) => type === 'submit' && form !== null;

/** Set by boot.ts; a preview has no boot script. */
const { takeEarlyInput = () => new Set() } = window as { takeEarlyInput?: () => Set<HTMLElement> };

function repeat(target: HTMLElement): void {
  if (target instanceof HTMLFormElement) target.requestSubmit();
  else target.click();
}

interface Replay {
  /** The reader used the page before its first module ran. */
  hasEarlyInput: boolean;
  onAppStarted: () => void;
}

/**
 * Repeats clicks on buttons and submissions of forms that are not hydrated yet, until the application handles them.
 * Those before the application starts are queued.
 */
export function replayInput(): Replay {
  let retriesLeft = 0;
  let isStarted = false;
  /** A set, because a second click on an unresponsive button is not meant to undo the first. */
  const early = takeEarlyInput();
  const hasEarlyInput = early.size > 0;

  function repeatLater(target: HTMLElement): (() => void) | undefined {
    if (!isStarted) {
      early.add(target);
      return;
    }
    if (retriesLeft === 0) return;
    retriesLeft -= 1;
    const retry = setTimeout(() => repeat(target), RETRY_DELAY_MS);
    return () => clearTimeout(retry);
  }

  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      if (isTrusted) retriesLeft = MAX_RETRIES;
      const button = target instanceof Element ? target.closest('button') : null;
      if (button === null || (!isStarted && isSubmitButton(button))) return;
      const cancel = repeatLater(button);
      // React stops the propagation of clicks to parts that are not hydrated, so the button does not receive them.
      if (cancel !== undefined) button.addEventListener('click', cancel, { once: true });
    },
    true,
  );
  addEventListener('submit', (event) => {
    const form = event.target;
    // The application prevents the default of every form it handles; one with the method GET, the search, needs no code.
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return;
    event.preventDefault();
    repeatLater(form);
  });
  return {
    hasEarlyInput,
    onAppStarted() {
      isStarted = true;
      retriesLeft = MAX_RETRIES;
      for (const target of early) repeat(target);
      // The application has missed the focus event of the active element.
      document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    },
  };
}
