import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { ListedEssay } from '@mozhan/contract/essays.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { confirm } from '#web/ui/confirm.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';
import type { EssayAction } from './essay-actions.ts';

/** The queries whose results change when an essay does. */
export const essayQueries = queryFilterOf(
  'GET core/essay/',
  'GET core/essay/own',
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

/** Changes the status of an own essay, pins or deletes it, after a confirmation where needed. */
export function useEssayActions({ id, title }: ListedEssay) {
  const api = useApi();
  const queryClient = useQueryClient();

  const { mutateAsync, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: () => queryClient.invalidateQueries(essayQueries),
  });

  async function run(send: () => Promise<unknown>, doneMessage: string): Promise<void> {
    await runWithErrorToast(async () => {
      await mutateAsync(send);
      toast(doneMessage);
    });
  }

  async function runAction({ label, to, revision, confirmText, doneMessage }: EssayAction): Promise<void> {
    if (
      confirmText !== undefined &&
      !(await confirm({ title: `${label}《${title}》？`, text: confirmText, action: label }))
    )
      return;
    await run(
      () => api('PUT core/essay/status', { id, status: to, ...(revision && { revision }) }),
      doneMessage,
    );
  }

  async function remove(): Promise<void> {
    const isConfirmed = await confirm({
      title: `删除《${title}》？`,
      text: '删除以后不能恢复，它的地址会显示「已经删除」。',
      action: '删除',
      danger: true,
    });
    if (isConfirmed) await run(() => api('DELETE core/essay/{id}', { id }), '已删除');
  }

  const pin = (pinned: boolean) =>
    run(() => api('PUT core/essay/pin', { id, pinned }), pinned ? '已置顶在你的主页' : '已取消置顶');

  return { runAction, pin, remove, isBusy: isPending };
}
