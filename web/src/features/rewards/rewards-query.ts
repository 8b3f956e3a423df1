import type { Client } from '@mozhan/contract/client.ts';
import { call, callPages } from '#web/lib/queries.ts';
import type { LoadContext } from '#web/router/navigation.ts';

export const rewardsQuery = (api: Client, essayId: string) =>
  callPages(api, 'GET core/essay/reward', { essayId });

/** With the essay: a list that came later would push away what stands below it. */
export async function loadRewards({ api, queryClient }: LoadContext, essayId: string): Promise<void> {
  const essay = await queryClient.ensureQueryData(call(api, 'GET core/essay/{id}', { id: essayId }));
  if (essay.rewardCount > 0) await queryClient.prefetchInfiniteQuery(rewardsQuery(api, essayId));
}
