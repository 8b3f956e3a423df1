/**
 * Runs in the head before the first paint, as a classic script of its own: it must import nothing.
 * Keys and attributes are those of lib/theme.ts and lib/session.ts.
 */
{
  const root = document.documentElement;
  const read = (key: string): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : dark ? 'dark' : 'light';
  const reading = read('reading');
  if (reading) root.dataset.reading = reading;
  const user = read('currentUser');
  if (user) {
    root.dataset.signed = '';
    try {
      // Keeps the place of the name in the header; see account-corner.module.css.
      const { displayName } = JSON.parse(user) as { displayName?: unknown };
      root.style.setProperty('--display-name', JSON.stringify(displayName));
    } catch {
      // Spoilt: the session starts over once the page is taken over.
    }
  }
}
