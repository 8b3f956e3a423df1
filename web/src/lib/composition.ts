let composing = false;

// Imported by the entry: a composition may start before the page is hydrated.
if (typeof addEventListener === 'function') {
  addEventListener('compositionstart', () => (composing = true), true);
  addEventListener('compositionend', () => (composing = false), true);
}

/** Whether an input method is composing text anywhere in the page. */
export const isComposing = (): boolean => composing;
