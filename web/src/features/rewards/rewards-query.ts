import type { Client } from '@mozhan/contract/client.ts';
import type { QueryClient } from '@tanstack/react-query';
import { call, callPages } from '#web/lib/queries.ts';

export const rewardsQuery = (api: Client, essayId: string) =>
  callPages(api, 'GET core/essay/reward', { essayId });

/** With the essay: a list that came later would push away what stands below it. */
export async function loadRewards(
  { api, queryClient }: { api: Client; queryClient: QueryClient },
  essayId: string,
): Promise<void> {
  const essay = await queryClient.ensureQueryData(call(api, 'GET core/essay/{id}', { id: essayId }));
  if (essay.rewardCount > 0) await queryClient.prefetchInfiniteQuery(rewardsQuery(api, essayId));
}
