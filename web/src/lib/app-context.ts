import type { Client } from '@mozhan/contract/client.ts';
import { createContext, use } from 'react';
import type { PageDescription } from './linked-data.ts';

export interface AppContextValue {
  api: Client;
  /** '' or '/blog'. */
  basePath: string;
  /** Public origin with base path, for canonical addresses. */
  siteUrl: string;
  /** What comes before the path of a stored file: `basePath`, or where else they are. */
  filesUrl: string;
  /** On the server: takes the page's description for search engines. */
  onDescribe?: (page: PageDescription) => void;
}

export const AppContext = createContext<AppContextValue | null>(null);

export function useApp(): AppContextValue {
  const value = use(AppContext);
  if (value === null) throw new Error('outside of the app');
  return value;
}

export const useApi = (): Client => useApp().api;
