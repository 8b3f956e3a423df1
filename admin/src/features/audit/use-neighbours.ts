import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { callPage } from '#admin/lib/paged.ts';
import { stretchOf } from './place.ts';

interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
  /** How many wait. */
  total: number | undefined;
}

/** What stands before and after an essay in the queue as it was looked at; after one that has left it comes the first. */
export function useNeighbours(id: string): Neighbours {
  const { api } = useApp();
  const { search } = usePlace();
  const { data } = useQuery(callPage(api, 'GET core/sys/essay/queue', stretchOf(search)));
  const ids = data?.list.map((essay) => essay.id) ?? [];
  const at = ids.indexOf(id);
  return { previous: ids[at - 1], next: ids[at + 1], total: data?.total };
}
