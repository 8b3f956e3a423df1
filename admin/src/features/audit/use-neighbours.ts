import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';

/** As much of the queue as anyone goes through at a time. */
const AHEAD = 100;

interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
  /** How many wait. */
  total: number | undefined;
}

/** What stands before and after an essay in the queue; after one that has left it comes the first. */
export function useNeighbours(id: string): Neighbours {
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/essay/queue', { pageSize: AHEAD }));
  const ids = data?.list.map((essay) => essay.id) ?? [];
  const at = ids.indexOf(id);
  return { previous: ids[at - 1], next: ids[at + 1], total: data?.total };
}
