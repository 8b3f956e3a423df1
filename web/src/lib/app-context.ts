import type { Client } from '@mozhan/contract/client.ts';
import { createContext, use } from 'react';
import type { PageDescription } from './linked-data.ts';

export interface AppContextValue {
  api: Client;
  /** '' or '/blog'. */
  basePath: string;
  /** Public origin with base path, for canonical URLs. */
  siteUrl: string;
  /** URL prefix of stored files: `basePath` or another host. */
  filesUrl: string;
  /** Server only: receives the page's metadata for search engines. */
  onPageDescription?: (page: PageDescription) => void;
}

export const AppContext = createContext<AppContextValue | null>(null);

export function useApp(): AppContextValue {
  const value = use(AppContext);
  if (value === null) throw new Error('useApp must be used inside AppContext');
  return value;
}

export const useApi = (): Client => useApp().api;
