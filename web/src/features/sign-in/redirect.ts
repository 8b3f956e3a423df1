/** Returns a path of this site without the base path, or `/home` for a target that may lead to another site. */
export function safeRedirect(target: string | null, basePath: string): string {
  const home = '/home';
  if (target === null || !/^\/(?![/\\])/.test(target) || /[\\\s\p{Cc}]/u.test(target)) return home;
  const hasBasePath = basePath !== '' && target.startsWith(`${basePath}/`);
  const path = hasBasePath ? target.slice(basePath.length) : target;
  if (path.startsWith('//') || /^\/login\.html([?#]|$)/.test(path)) return home;
  return path;
}
