import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { ListedEssay } from '@mozhan/contract/essays.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { attempt } from '#web/ui/attempt.ts';
import { confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Act } from './own-acts.ts';

/** The queries whose results change when an essay does. */
const essayQueries = queriesOf(
  'GET core/essay/',
  'GET core/essay/{id}',
  'GET core/essay/{id}/related',
  'GET core/essay/{id}/revision',
  'GET core/essay/{id}/source',
  'GET core/essay/chat/unread',
  'GET core/essay/cmt',
  'GET core/essay/cmt/reply',
  'GET core/essay/column',
  'GET core/essay/group/chat',
  'GET core/essay/like',
  'GET core/essay/read',
  'GET core/essay/reward',
  'GET core/essay/share',
  'GET core/essay/suggest',
  'GET core/essay/tag',
);

/** Changes the state of an essay of one's own, or removes it; asks first where it matters. */
export function useEssayActs({ id, title }: ListedEssay) {
  const api = useApi();
  const queryClient = useQueryClient();

  const { mutateAsync, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: () => queryClient.invalidateQueries(essayQueries),
  });

  async function run(send: () => Promise<unknown>, done: string): Promise<void> {
    await attempt(async () => {
      await mutateAsync(send);
      toast(done);
    });
  }

  async function act({ label, to, revision, question, done }: Act): Promise<void> {
    if (
      question !== undefined &&
      !(await confirm({ title: `${label}《${title}》？`, text: question, action: label }))
    )
      return;
    await run(() => api('PUT core/essay/status', { id, status: to, ...(revision && { revision }) }), done);
  }

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: `删除《${title}》？`,
      text: '删除以后不能恢复，它的地址会显示「已经删除」。',
      action: '删除',
      danger: true,
    });
    if (isSure) await run(() => api('DELETE core/essay/{id}', { id }), '已删除');
  }

  return { act, remove, isBusy: isPending };
}
