import type { StoredUser } from '@mozhan/client/session.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { pathTo } from './router.tsx';
import { routes } from './routes.ts';

/** What a route's access key may name: allowed or denied for this reader. */
export type AccessRules = Readonly<Record<string, boolean>>;

export const rulesFor = (user: StoredUser | null): AccessRules => ({
  signedIn: user !== null,
  canWrite: user?.curIdentity === IDENTITY.writer,
  canAdmin: user?.access === 'admin',
});

interface AccessNode {
  access?: unknown;
  children?: readonly AccessNode[];
}

type Marked<Node> = Omit<Node, 'children'> & { denied: boolean; children: Marked<Node>[] };

/**
 * Marks every route that the rules deny, and its children with it. A parent whose children are all denied is denied
 * as well. A rule that does not exist denies.
 */
export function markAccess<Node extends AccessNode>(
  routes: readonly Node[],
  rules: AccessRules,
  parentDenied = false,
): Marked<Node>[] {
  return routes.map((route) => {
    if (route.access !== undefined && typeof route.access !== 'string') {
      throw new Error('configuration error: access of a route');
    }
    const ownDenied = parentDenied || (route.access !== undefined && rules[route.access] !== true);
    const children = markAccess((route.children ?? []) as readonly Node[], rules, ownDenied);
    const denied = ownDenied || (children.length > 0 && children.every((child) => child.denied));
    return { ...route, denied, children };
  });
}

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
