import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { callPage } from '#admin/lib/paged.ts';
import { surroundingPageInput } from './audit-url.ts';

interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
  total: number | undefined;
}

/** Previous and next essay in the queue; for an essay no longer in it, `next` is the first. */
export function useNeighbours(id: string): Neighbours {
  const { api } = useApp();
  const { search } = useLocation();
  const { data } = useQuery(callPage(api, 'GET core/sys/essay/queue', surroundingPageInput(search)));
  const ids = data?.list.map((essay) => essay.id) ?? [];
  const at = ids.indexOf(id);
  return { previous: ids[at - 1], next: ids[at + 1], total: data?.total };
}
