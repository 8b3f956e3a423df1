import type { Client } from '@mozhan/contract/client.ts';
import { callPagesQuery, callQuery } from '#web/lib/queries.ts';
import type { LoadContext } from '#web/router/navigation.ts';

export const rewardsQuery = (api: Client, essayId: string) =>
  callPagesQuery(api, 'GET core/essay/reward', { essayId });

/** Loaded with the essay, because a list that arrives later would move the content below it. */
export async function loadRewards({ api, queryClient }: LoadContext, essayId: string): Promise<void> {
  const essay = await queryClient.ensureQueryData(callQuery(api, 'GET core/essay/{id}', { id: essayId }));
  if (essay.rewardCount > 0) await queryClient.prefetchInfiniteQuery(rewardsQuery(api, essayId));
}
