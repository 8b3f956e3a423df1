/**
 * Classic script in the document head that runs before the first paint. It must not import anything.
 * It shares its storage keys and attributes with lib/theme.ts and session.ts of @mozhan/client, and `takeEarlyInput`
 * with router/replay-input.ts.
 */
{
  const { dataset, style } = document.documentElement;
  let stored: Partial<Record<string, string>> = {};
  try {
    stored = localStorage;
  } catch {
    // The browser blocks storage: render as for a visitor.
  }
  const { theme, away, currentUser } = stored;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = theme === 'light' || theme === 'dark' ? theme : dark ? 'dark' : 'light';
  // Without a stored value, the operator's default is already in the attribute.
  for (const key of ['reading', 'weak']) if (stored[key]) dataset[key] = stored[key];
  // Hides announcements that the reader has closed, by index; see announcement-bar.module.css.
  dataset.news?.split(' ').forEach((id, index) => {
    if (away?.includes(id)) dataset[`away${index}`] = '';
  });
  if (currentUser) {
    dataset.signed = '';
    try {
      const { displayName, curIdentity } = JSON.parse(currentUser) as Record<string, string>;
      dataset.identity = curIdentity;
      // Reserves the width of the name in the header; see account-corner.module.css.
      style.setProperty('--display-name', JSON.stringify(displayName));
    } catch {
      // Invalid JSON: the session is reset after hydration.
    }
  }
  // Buttons clicked and forms submitted before the application's code is loaded; router/replay-input.ts takes them over.
  const early = new Set<HTMLElement>();
  const taken = new AbortController();
  addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element ? target.closest('button') : null;
      if (button !== null && (button.type !== 'submit' || button.form === null)) early.add(button);
    },
    { signal: taken.signal },
  );
  addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
      event.preventDefault();
      early.add(form);
    },
    { signal: taken.signal },
  );
  Object.assign(window, {
    takeEarlyInput() {
      taken.abort();
      return early;
    },
  });
}
