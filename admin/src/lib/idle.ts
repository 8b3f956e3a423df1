const IDLE_MS = 5 * 60_000;

let lastInputAt = Date.now();

/** Starts recording the time of the last user input. */
export function trackActivity(): void {
  const recordInput = () => {
    lastInputAt = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(event, recordInput, { capture: true, passive: true });
}

/** Marks automatic requests of an idle user with a header, so that they do not extend the session. */
export const fetchWithIdleHeader: typeof fetch = (input, init) => {
  if (Date.now() - lastInputAt < IDLE_MS) return fetch(input, init);
  const headers = new Headers(init?.headers);
  headers.set('idle', '1');
  return fetch(input, { ...init, headers });
};
