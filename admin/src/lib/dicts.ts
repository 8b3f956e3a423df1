import { useQuery } from '@tanstack/react-query';
import { call } from '#admin/lib/queries.ts';
import { useApp } from './app-context.ts';

/** What people read of a dictionary's items, by value and in its order; none while it is not there. */
export function useDictNames(code: string): ReadonlyMap<string, string> {
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/dict/item/', { code }));
  return new Map(Array.isArray(data) ? data.map(({ value, item }) => [value, item]) : []);
}

export const useDictItems = (code: string): string[] => [...useDictNames(code).values()];
