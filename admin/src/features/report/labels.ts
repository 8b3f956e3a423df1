import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { Report, ReportKind, ReportStatus } from '@mozhan/contract/reports.ts';
import type { Labels } from '#admin/ui/labels.tsx';

export const kindNames: Record<ReportKind, string> = {
  essay: '文章',
  comment: '评论',
  user: '用户',
  chat: '消息',
  letter: '私信',
};

export const statuses: Labels<ReportStatus> = {
  [REPORT_STATUS.waiting]: { label: '待处理', color: 'warning' },
  [REPORT_STATUS.upheld]: { label: '属实', color: 'success' },
  [REPORT_STATUS.dismissed]: { label: '不属实', color: 'default' },
};

/** The chat or room of a reported message. */
export function chatLocation({ target }: Report): string {
  if (!target?.chat) return '';
  const location = target.chat.room === null ? '私聊' : `群聊：${target.chat.room.title}`;
  return target.chat.removed ? `${location}（已移除）` : location;
}
