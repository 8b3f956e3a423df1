import { asCallError } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, type ErrorCode, SHOW_TYPE } from '@mozhan/contract/errors.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { useRefresh } from '#admin/lib/queries.ts';
import { placeOf } from './place.ts';

export type AuditEssay = Output<'GET core/sys/essay/audit'>;

export const isRevision = (essay: AuditEssay): boolean => essay.status === ESSAY_STATUS.onShelf;

/** What a refusal means to somebody who was reading. */
const sentences: Partial<Record<ErrorCode, string>> = {
  STALE_VERSION: '作者刚刚换了内容，这里已更新为新的版本，请再看一遍',
  TRANSITION_REFUSED: '这篇文章刚刚由别人处理，或已被作者撤回',
  GONE: '这篇文章刚刚被作者删除',
};

/** There is nothing left to decide. */
export const isOver = (error: unknown): boolean =>
  ['TRANSITION_REFUSED', 'NOT_FOUND', 'GONE'].includes(asCallError(error)?.code ?? '');

/** Decides about the very version that was read, then opens the next; throws what was refused. */
export function useDecide(essay: AuditEssay, next: string | undefined) {
  const { api, router } = useApp();
  const { message } = App.useApp();
  const refresh = useRefresh();
  const { search } = usePlace();
  return async (verdict: 'pass' | 'reject', reason = ''): Promise<void> => {
    const { id, version, title } = essay;
    const passed = isRevision(essay) ? ESSAY_STATUS.onShelf : ESSAY_STATUS.approved;
    try {
      await api('PUT core/essay/status', {
        id,
        version,
        status: verdict === 'pass' ? passed : ESSAY_STATUS.rejected,
        ...(isRevision(essay) && { revision: true as const }),
        ...(reason !== '' && { reason }),
      });
    } catch (error) {
      const code = asCallError(error)?.code;
      const sentence = code === undefined ? undefined : sentences[code];
      if (code === undefined || sentence === undefined) throw error;
      await refresh();
      throw new CallError(code, { message: sentence, showType: SHOW_TYPE.warning });
    }
    message.success(`${verdict === 'pass' ? '已通过' : '已驳回'}「${title}」`);
    await router.navigate(placeOf(search, next), { keep: true });
    await refresh();
  };
}
