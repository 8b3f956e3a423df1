const IDLE_MS = 5 * 60_000;

let usedAt = Date.now();

/** From now on, remembers when the page was last used. */
export function watchUse(): void {
  const note = () => {
    usedAt = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(event, note, { capture: true, passive: true });
}

/** Marks what a screen asks for by itself while nobody is there: it does not keep the session alive. */
export const fetchWithIdleMark: typeof fetch = (input, init) => {
  if (Date.now() - usedAt < IDLE_MS) return fetch(input, init);
  const headers = new Headers(init?.headers);
  headers.set('idle', '1');
  return fetch(input, { ...init, headers });
};
