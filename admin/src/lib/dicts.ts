import { useQuery } from '@tanstack/react-query';
import { useApp } from './app-context.ts';
import { call } from './queries.ts';

/** What people read of a dictionary's items, in its order; none while it is not there. */
export function useDictItems(code: string): string[] {
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/dict/item/', { code }));
  return Array.isArray(data) ? data.map(({ item }) => item) : [];
}
