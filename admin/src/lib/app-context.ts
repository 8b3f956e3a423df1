import type { Client } from '@mozhan/contract/client.ts';
import { createContext, use } from 'react';
import type { Router } from './router.ts';
import type { StartData } from './start-data.ts';

export interface App extends StartData {
  api: Client;
  router: Router;
  /** The site was given another name, logo or colour. */
  setLook: (look: Pick<StartData, 'title' | 'logo' | 'colorPrimary'>) => void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error('outside of the app');
  return app;
}
