import { createContext, use } from 'react';
import type { Client } from '#contract/client.ts';

export interface AppContextValue {
  api: Client;
  /** '' or '/blog'. */
  basePath: string;
  /** Public origin with base path, for canonical addresses. */
  siteUrl: string;
}

export const AppContext = createContext<AppContextValue | null>(null);

export function useApp(): AppContextValue {
  const value = use(AppContext);
  if (value === null) throw new Error('outside of the app');
  return value;
}

export const useApi = (): Client => useApp().api;
