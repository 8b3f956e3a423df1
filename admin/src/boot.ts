/**
 * Runs in the head before the first paint as a classic script, so it must not import anything.
 * The key and the attribute must match lib/theme.ts.
 */
{
  let theme: string | null = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {
    // Storage is blocked: use the system setting.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme =
    theme === 'light' || theme === 'dark' ? theme : dark ? 'dark' : 'light';
}
