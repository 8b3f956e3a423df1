import type { Client } from '@mozhan/contract/client.ts';
import { createContext, use } from 'react';
import type { Router } from './router.ts';
import type { StartData } from './start-data.ts';

export interface App extends StartData {
  api: Client;
  router: Router;
  /** Called after the site's name, logo or colour changed. */
  setAppearance: (appearance: Pick<StartData, 'title' | 'logo' | 'colorPrimary'>) => void;
  setInMaintenance: (isInMaintenance: boolean) => void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error('useApp must be used inside AppContext');
  return app;
}
