/**
 * Runs in the head before the first paint, as a classic script of its own: it must import nothing.
 * Key and attribute are those of lib/theme.ts.
 */
{
  let theme: string | null = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {
    // Blocked: the system decides.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme =
    theme === 'light' || theme === 'dark' ? theme : dark ? 'dark' : 'light';
}
