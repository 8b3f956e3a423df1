import type { Menu } from '@mozhan/contract/access.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { createContext, use } from 'react';

/** Who works here, and the menus that come with the roles. */
export interface Viewer {
  user: CurrentUser;
  menus: Menu[];
}

export const ViewerContext = createContext<Viewer | null>(null);

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (viewer === null) throw new Error('nobody is signed in');
  return viewer;
}

/** The server checks anyway: this only keeps from offering what it would refuse. */
export function useCan(): (permission: Permission) => boolean {
  const { permissions } = useViewer().user;
  return (permission) => permissions.includes(permission);
}
