import type { StoredUser } from '@mozhan/client/session.ts';
import { type Marked, markAccess, rulesFor } from './access.ts';
import { pathTo } from './router.tsx';
import { routes } from './routes.ts';

interface Node {
  path?: string;
  access?: string;
  children?: readonly Node[];
}

/** Paths of the table that these rules deny. */
function deniedPaths(user: StoredUser | null): Set<string> {
  const collect = ({ path, denied, children }: Marked<Node>): string[] => [
    ...(denied && path !== undefined ? [path] : []),
    ...children.flatMap(collect),
  ];
  return new Set(markAccess<Node>(routes, rulesFor(user)).flatMap(collect));
}

/** Everything that has an access key at all. */
const guardedPaths = deniedPaths(null);

/** Whether a path of the table has an access key. */
export const isGuarded = (path: string | undefined): path is string =>
  path !== undefined && guardedPaths.has(path);

export const isDenied = (path: string, user: StoredUser | null): boolean => deniedPaths(user).has(path);

/** The page to sign in at, which leads back to `url`. */
export const signInPath = (url: string): string => pathTo({ to: '/login.html', search: { redirect: url } });
