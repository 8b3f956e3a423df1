import type { Menu } from '@mozhan/contract/access.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { createContext, use } from 'react';

/** The signed-in staff member and the menus of their roles. */
export interface Viewer {
  user: CurrentUser;
  menus: Menu[];
}

export const ViewerContext = createContext<Viewer | null>(null);

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (viewer === null) throw new Error('useViewer must be used inside ViewerContext');
  return viewer;
}

/** Only hides what the server would refuse; the server checks every call. */
export function useCan(): (permission: Permission) => boolean {
  const { permissions } = useViewer().user;
  return (permission) => permissions.includes(permission);
}
