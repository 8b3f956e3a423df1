import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { Report } from '@mozhan/contract/reports.ts';
import { Tag } from 'antd';
import { removeCommentForm } from '#admin/features/comment/remove-form.tsx';
import { offShelfForm } from '#admin/features/essay/reason-forms.tsx';
import { handleForm } from '#admin/features/report/handle-form.tsx';
import { chatLocation, kindNames, statuses } from '#admin/features/report/labels.ts';
import { useDictNames } from '#admin/lib/dicts.ts';
import { ago, count, line, person, personName, tag, time } from '#admin/ui/columns.tsx';
import { dayFilters, pendingFilter, userFilter } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { TruncatedLink, TruncatedText } from '#admin/ui/truncated-text.tsx';

const isWaiting = ({ status }: Report): boolean => status === REPORT_STATUS.waiting;

/** The target still exists and the report is pending. */
const isOpen = (kind: Report['kind']) => (row: Report) =>
  row.kind === kind && isWaiting(row) && row.target !== null;

/** Staff may remove messages of rooms, but not of private chats. */
const isInRoom = ({ target }: Report) => Boolean(target?.chat?.room) && target?.chat?.removed === false;

export function Page() {
  const reasons = useDictNames('report-reason');
  return (
    <ResourceScreen
      name="report"
      title="举报"
      intro="先处理被举报的内容，再答复举报的人；待处理的先来先办；搜索看的是说明与处理结果"
      list={paged('GET core/sys/report/')}
      nameOf={({ target }) => target?.title ?? '举报'}
      columns={[
        {
          key: 'target',
          title: '对象',
          text: (row) => row.target?.title ?? '已经不在了',
          show: ({ target }) =>
            target === null ? '已经不在了' : <TruncatedLink text={target.title} to={target.url} />,
        },
        {
          key: 'kind',
          title: '类型',
          text: (row) => [kindNames[row.kind], chatLocation(row)].filter(Boolean).join('，'),
          show: (row) => (
            <>
              <Tag>{kindNames[row.kind]}</Tag>
              {chatLocation(row) === '' ? null : <TruncatedText text={chatLocation(row)} />}
            </>
          ),
        },
        person.of('owner', '被举报的人', (row: Report) => row.target?.user ?? null),
        { key: 'reason', title: '理由', text: (row) => reasons.get(row.reason) ?? row.reason },
        line('detail', '说明'),
        person('user', '举报人'),
        count('others', '同一对象的其他举报', { hidden: true }),
        tag('status', '状态', statuses, { hidden: true }),
        line('result', '处理结果', { hidden: true }),
        personName('handledBy', '处理人', { hidden: true }),
        time('handledAt', '处理时间', { hidden: true }),
        ago('createdAt', '举报时间', { sort: true }),
      ]}
      keyword="在最近两万条里搜索"
      filters={[
        pendingFilter(statuses, REPORT_STATUS.waiting),
        { name: 'kind', label: '对象', options: optionsOf(kindNames) },
        { name: 'reason', label: '理由', options: [...reasons].map(([value, label]) => ({ value, label })) },
        userFilter('userId', '举报人'),
        userFilter('ownerId', '被举报的人'),
        ...dayFilters,
      ]}
      rowActions={[
        {
          label: '处理',
          permission: 'report:update',
          when: isWaiting,
          panel: handleForm,
          bulk: { label: ({ length }) => `处理 ${length} 条` },
        },
        {
          label: '下架文章',
          permission: 'essay:update',
          when: isOpen('essay'),
          danger: true,
          panel: offShelfForm(({ targetId, target }) => ({ id: targetId, title: target?.title ?? '' })),
        },
        {
          label: '移除评论',
          permission: 'comment:update',
          when: isOpen('comment'),
          danger: true,
          panel: removeCommentForm(({ targetId }) => targetId),
        },
        {
          label: '移除消息',
          permission: 'comment:update',
          when: (row) => isOpen('chat')(row) && isInRoom(row),
          danger: true,
          ask: ({ target }) => ({ title: '移除这条消息？', text: target?.title, action: '移除' }),
          run: (api, { targetId }) => api('DELETE core/essay/group/chat', { id: targetId }),
          done: '已移除这条消息',
        },
      ]}
    />
  );
}
