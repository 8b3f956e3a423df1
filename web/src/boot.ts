/**
 * Runs in the head before the first paint, as a classic script of its own: it must import nothing.
 * Keys and attributes are those of lib/theme.ts and the contract's session.ts.
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
  // Without a choice of the reader's own, what the operator chose is already there.
  const weak = read('weak');
  if (weak) root.dataset.weak = weak;
  const user = read('currentUser');
  if (user) {
    root.dataset.signed = '';
    try {
      const { displayName, curIdentity } = JSON.parse(user) as Record<string, unknown>;
      root.dataset.identity = String(curIdentity);
      // Keeps the place of the name in the header; see account-corner.module.css.
      root.style.setProperty('--display-name', JSON.stringify(displayName));
    } catch {
      // Spoilt: the session starts over once the page is taken over.
    }
  }
}
