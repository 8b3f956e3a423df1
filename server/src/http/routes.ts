import type { FastifyInstance } from 'fastify';

/** Folders whose routes answer every address in them. */
const FOLDERS = /^\/(api|admin|assets|files)(\/|$)/;

/** Matches one segment of a path with one of a route, which may contain one parameter: `:id`, `:id.png`, `*`. */
function matchesSegment(pattern: string, segment: string): boolean {
  const start = pattern.search(/[:*]/);
  if (start < 0) return pattern === segment;
  const rest = pattern.slice(start).replace(/^(\*|:\w+(\([^)]*\))?)/, '');
  return (
    segment.length > start + rest.length &&
    segment.startsWith(pattern.slice(0, start)) &&
    segment.endsWith(rest)
  );
}

/** Both are split at `/`. */
export function matchesRoute(pattern: string[], path: string[]): boolean {
  if (pattern.length > path.length) return false;
  if (pattern.length < path.length && pattern.at(-1) !== '*') return false;
  return pattern.every((segment, at) => matchesSegment(segment, path[at] ?? ''));
}

/** Returns whether the server has a route for a path, without the base path; knows routes that are added after this call. */
export function collectRoutes(server: FastifyInstance, basePath: string): (path: string) => boolean {
  const fixed = new Set<string>();
  const patterns = new Map<string, string[]>();
  server.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith(basePath) || ![method].flat().includes('GET')) return;
    const path = url.slice(basePath.length);
    if (FOLDERS.test(path)) return;
    if (/[:*]/.test(path)) patterns.set(path, path.split('/'));
    else fixed.add(path);
  });
  return (path) => {
    if (FOLDERS.test(path) || fixed.has(path)) return true;
    const segments = path.split('/');
    return patterns.values().some((pattern) => matchesRoute(pattern, segments));
  };
}
