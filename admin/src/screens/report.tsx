import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { Report } from '@mozhan/contract/reports.ts';
import { Tag } from 'antd';
import { useState } from 'react';
import { RemoveCommentForm } from '#admin/features/comment/remove-form.tsx';
import { OffShelfForm } from '#admin/features/essay/reason-forms.tsx';
import { ReportBatch } from '#admin/features/report/batch.tsx';
import { HandleForm } from '#admin/features/report/handle-form.tsx';
import {
  kindNames,
  kindOptions,
  StatusTag,
  statusOptions,
  statusText,
} from '#admin/features/report/words.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { useDictNames } from '#admin/lib/dicts.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { Line } from '#admin/ui/line.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const filtersWith = (reasons: ReadonlyMap<string, string>): Filter[] => [
  {
    name: 'status',
    label: '状态',
    initial: String(REPORT_STATUS.waiting),
    options: [...statusOptions, { value: '', label: '全部' }],
  },
  { name: 'kind', label: '对象', options: kindOptions },
  { name: 'reason', label: '理由', options: [...reasons].map(([value, label]) => ({ value, label })) },
  { name: 'userId', label: '举报人', render: (control) => <UserFilter label="举报人" {...control} /> },
  {
    name: 'ownerId',
    label: '被举报的人',
    render: (control) => <UserFilter label="被举报的人" {...control} />,
  },
  ...dayFilters,
];

/** Where a message was said: staff may look into a room, not between two. */
function placeOf({ target }: Report): string {
  if (!target?.chat) return '';
  const place = target.chat.room === null ? '私聊' : `群聊：${target.chat.room.title}`;
  return target.chat.removed ? `${place}（已移除）` : place;
}

const isInRoom = ({ target }: Report) => Boolean(target?.chat?.room) && target?.chat?.removed === false;

const columnsOf = (basePath: string, reasons: ReadonlyMap<string, string>): Column<Report>[] => [
  {
    key: 'target',
    title: '对象',
    text: (row) => row.target?.title ?? '已经不在了',
    show: ({ target }) =>
      target === null ? '已经不在了' : <Line text={target.title} href={basePath + target.url} />,
  },
  {
    key: 'kind',
    title: '种类',
    text: (row) => [kindNames[row.kind], placeOf(row)].filter(Boolean).join('，'),
    show: (row) => (
      <>
        <Tag variant="filled">{kindNames[row.kind]}</Tag>
        {placeOf(row) === '' ? null : <Line text={placeOf(row)} />}
      </>
    ),
  },
  {
    key: 'owner',
    title: '被举报的人',
    text: (row) => orDash(row.target?.user?.displayName),
    show: (row) => <PersonLink user={row.target?.user ?? null} />,
  },
  { key: 'reason', title: '理由', text: (row) => reasons.get(row.reason) ?? row.reason },
  {
    key: 'detail',
    title: '说明',
    text: (row) => orDash(row.detail),
    show: (row) => <Line text={orDash(row.detail)} />,
  },
  {
    key: 'user',
    title: '举报人',
    text: (row) => orDash(row.user?.displayName),
    show: (row) => <PersonLink user={row.user} />,
  },
  {
    key: 'others',
    title: '同一对象的其他举报',
    text: (row) => String(row.others),
    align: 'end',
    hidden: true,
  },
  {
    key: 'status',
    title: '状态',
    text: (row) => statusText(row.status),
    show: (row) => <StatusTag status={row.status} />,
    hidden: true,
  },
  {
    key: 'result',
    title: '处理结果',
    text: (row) => orDash(row.result),
    show: (row) => <Line text={orDash(row.result)} />,
    hidden: true,
  },
  { key: 'handledBy', title: '处理人', text: (row) => orDash(row.handledBy?.displayName), hidden: true },
  {
    key: 'handledAt',
    title: '处理时间',
    text: (row) => (row.handledAt === null ? '-' : formatDateTime(row.handledAt)),
    hidden: true,
  },
  {
    key: 'createdAt',
    title: '举报时间',
    sort: 'createdAt',
    text: (row) => formatDateTime(row.createdAt),
    show: (row) => <TimeAgo at={row.createdAt} />,
  },
];

/** What is open beside the table, and of which report. */
interface Opened {
  panel: 'handle' | 'off' | 'remove';
  report: Report;
}

export function Page() {
  const { basePath } = useApp();
  const can = useCan();
  const reasons = useDictNames('report-reason');
  const confirm = useConfirm();
  const act = useAct();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const reportOf = (panel: Opened['panel']) => (opened?.panel === panel ? opened.report : undefined);
  /** The reported thing, for the form that deals with it. */
  const thingOf = (panel: Opened['panel']) => {
    const report = reportOf(panel);
    const title = report?.target?.title ?? '';
    return report === undefined ? undefined : { id: report.targetId, title, content: title };
  };
  const mayAct = ({ kind, status, target }: Report, wanted: Report['kind']) =>
    kind === wanted && status === REPORT_STATUS.waiting && target !== null;

  async function removeMessage({ targetId, target }: Report): Promise<void> {
    const isSure = await confirm({
      title: '移除这条消息？',
      text: target?.title,
      action: '移除',
      danger: true,
    });
    if (isSure) await act((api) => api('DELETE core/essay/group/chat', { id: targetId }), '已移除这条消息');
  }

  return (
    <Screen
      title="举报"
      intro="先处理被举报的内容，再答复举报的人；待处理的先来先办；搜索看的是说明与处理结果"
    >
      <DataTable
        name="report"
        title="举报"
        route="GET core/sys/report/"
        columns={columnsOf(basePath, reasons)}
        keyword="在最近两万条里搜索"
        filters={filtersWith(reasons)}
        batch={(rows, choose) => (can('report:update') ? <ReportBatch rows={rows} choose={choose} /> : null)}
        actions={(row) => (
          <RowActions
            name={row.target?.title ?? '举报'}
            actions={[
              can('report:update') &&
                row.status === REPORT_STATUS.waiting && {
                  label: '处理',
                  onClick: () => setOpened({ panel: 'handle', report: row }),
                },
              can('essay:update') &&
                mayAct(row, 'essay') && {
                  label: '下架文章',
                  danger: true,
                  onClick: () => setOpened({ panel: 'off', report: row }),
                },
              can('comment:update') &&
                mayAct(row, 'comment') && {
                  label: '移除评论',
                  danger: true,
                  onClick: () => setOpened({ panel: 'remove', report: row }),
                },
              can('comment:update') &&
                mayAct(row, 'chat') &&
                isInRoom(row) && {
                  label: '移除消息',
                  danger: true,
                  onClick: () => void removeMessage(row),
                },
            ]}
          />
        )}
      />
      <HandleForm subject={reportOf('handle')} onClose={close} />
      <OffShelfForm subject={thingOf('off')} onClose={close} />
      <RemoveCommentForm subject={thingOf('remove')} onClose={close} />
    </Screen>
  );
}
