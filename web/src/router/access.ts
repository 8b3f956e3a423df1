import type { StoredUser } from '@mozhan/client/session.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { pathTo } from './router.tsx';
import { routes } from './routes.ts';

/** Results of the access rules for one reader, by the key that routes use. */
export type AccessRules = Readonly<Record<string, boolean>>;

export const accessRulesFor = (user: StoredUser | null): AccessRules => ({
  signedIn: user !== null,
  canWrite: user?.curIdentity === IDENTITY.writer,
  /** Staff write for authors; the server checks the permission. */
  canEdit: user?.curIdentity === IDENTITY.writer || user?.access === 'admin',
  canAdmin: user?.access === 'admin',
});

interface AccessNode {
  access?: unknown;
  children?: readonly AccessNode[];
}

type MarkedRoute<Node> = Omit<Node, 'children'> & { denied: boolean; children: MarkedRoute<Node>[] };

/** Marks denied routes and all their children, and parents whose children are all denied. An unknown rule denies. */
export function markAccess<Node extends AccessNode>(
  routes: readonly Node[],
  rules: AccessRules,
  parentDenied = false,
): MarkedRoute<Node>[] {
  return routes.map((route) => {
    if (route.access !== undefined && typeof route.access !== 'string') {
      throw new Error('configuration error: the access key of a route must be a string');
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

function deniedPaths(user: StoredUser | null): Set<string> {
  const collect = ({ path, denied, children }: MarkedRoute<Node>): string[] => [
    ...(denied && path !== undefined ? [path] : []),
    ...children.flatMap(collect),
  ];
  return new Set(markAccess<Node>(routes, accessRulesFor(user)).flatMap(collect));
}

/** A visitor is denied every path that has an access key. */
const guardedPaths = deniedPaths(null);

export const isGuarded = (path: string | undefined): path is string =>
  path !== undefined && guardedPaths.has(path);

export const isDenied = (path: string, user: StoredUser | null): boolean => deniedPaths(user).has(path);

/** The sign-in page, which redirects back to `url`. */
export const signInPath = (url: string): string => pathTo({ to: '/login.html', search: { redirect: url } });
