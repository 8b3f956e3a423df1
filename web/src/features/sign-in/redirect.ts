/**
 * Where to go after signing in, from the `redirect` parameter: a path of this site, without the base path.
 * Anything a browser could read as another site leads home instead.
 */
export function safeRedirect(wanted: string | null, basePath: string): string {
  const home = '/home';
  if (wanted === null || !/^\/(?![/\\])/.test(wanted) || /[\\\s\p{Cc}]/u.test(wanted)) return home;
  const inside = basePath !== '' && wanted.startsWith(`${basePath}/`);
  const path = inside ? wanted.slice(basePath.length) : wanted;
  if (path.startsWith('//') || /^\/login\.html([?#]|$)/.test(path)) return home;
  return path;
}
