/**
 * Runs in the head before the first paint, as a classic script of its own: it must import nothing.
 * Keys and attributes are those of lib/theme.ts and session.ts of @mozhan/client.
 */
{
  const { dataset, style } = document.documentElement;
  let kept: Partial<Record<string, string>> = {};
  try {
    kept = localStorage;
  } catch {
    // Blocked: nothing is known of the reader.
  }
  const { theme, away, currentUser } = kept;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = theme === 'light' || theme === 'dark' ? theme : dark ? 'dark' : 'light';
  // Without a choice of the reader's own, what the operator chose is already there.
  for (const key of ['reading', 'weak']) if (kept[key]) dataset[key] = kept[key];
  // Announcements that were put away, by their place; see announcement-bar.module.css.
  dataset.news?.split(' ').forEach((id, place) => {
    if (away?.includes(id)) dataset[`away${place}`] = '';
  });
  if (currentUser) {
    dataset.signed = '';
    try {
      const { displayName, curIdentity } = JSON.parse(currentUser) as Record<string, string>;
      dataset.identity = curIdentity;
      // Keeps the place of the name in the header; see account-corner.module.css.
      style.setProperty('--display-name', JSON.stringify(displayName));
    } catch {
      // Spoilt: the session starts over once the page is taken over.
    }
  }
}
