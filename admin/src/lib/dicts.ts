import { useQuery } from '@tanstack/react-query';
import { call } from '#admin/lib/queries.ts';
import { useApp } from './app-context.ts';

/** Labels of a dictionary's items by value, in order; empty until loaded. */
export function useDictNames(code: string): ReadonlyMap<string, string> {
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/dict/item/', { code }));
  return new Map(Array.isArray(data) ? data.map(({ value, item }) => [value, item]) : []);
}

export const useDictItems = (code: string): string[] => [...useDictNames(code).values()];
