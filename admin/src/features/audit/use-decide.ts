import { asCallError } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, type ErrorCode, SHOW_TYPE } from '@mozhan/contract/errors.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { useRefresh } from '#admin/lib/queries.ts';
import { auditUrl } from './audit-url.ts';

export type AuditEssay = Output<'GET core/sys/essay/audit'>;

export const isRevision = (essay: AuditEssay): boolean => essay.status === ESSAY_STATUS.onShelf;

/** Messages for an auditor whose decision was rejected. */
const errorMessages: Partial<Record<ErrorCode, string>> = {
  STALE_VERSION: '作者刚刚换了内容，这里已更新为新的版本，请再看一遍',
  TRANSITION_REFUSED: '这篇文章刚刚由别人处理，或已被作者撤回',
  GONE: '这篇文章刚刚被作者删除',
};

/** The essay no longer waits for a decision. */
export const isNoLongerPending = (error: unknown): boolean =>
  ['TRANSITION_REFUSED', 'NOT_FOUND', 'GONE'].includes(asCallError(error)?.code ?? '');

/** Sends the decision for the version that was read, then opens the next essay; throws on failure. */
export function useDecide(essay: AuditEssay, next: string | undefined) {
  const { api, router } = useApp();
  const { message } = App.useApp();
  const refresh = useRefresh();
  const { search } = useLocation();
  return async (result: 'pass' | 'reject', reason = ''): Promise<void> => {
    const { id, version, title } = essay;
    const passed = isRevision(essay) ? ESSAY_STATUS.onShelf : ESSAY_STATUS.approved;
    try {
      await api('PUT core/essay/status', {
        id,
        version,
        status: result === 'pass' ? passed : ESSAY_STATUS.rejected,
        ...(isRevision(essay) && { revision: true as const }),
        ...(reason !== '' && { reason }),
      });
    } catch (error) {
      const code = asCallError(error)?.code;
      const text = code === undefined ? undefined : errorMessages[code];
      if (code === undefined || text === undefined) throw error;
      await refresh();
      throw new CallError(code, { message: text, showType: SHOW_TYPE.warning });
    }
    message.success(`${result === 'pass' ? '已通过' : '已驳回'}「${title}」`);
    await router.navigate(auditUrl(search, next), { sameScreen: true });
    await refresh();
  };
}
