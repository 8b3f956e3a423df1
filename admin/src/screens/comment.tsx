import type { StaffComment } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { removeCommentForm } from '#admin/features/comment/remove-form.tsx';
import { ago, count, line, person, tag, text } from '#admin/ui/columns.tsx';
import { dayFilters, idFilter, userFilter } from '#admin/ui/filters.tsx';
import { type Labels, optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Prose } from '#admin/ui/prose.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { ExpandedContent } from '#admin/ui/table-card.tsx';
import { TruncatedLink } from '#admin/ui/truncated-text.tsx';

const statuses: Labels<StaffComment['status']> = {
  [COMMENT_STATUS.visible]: { label: '公开', color: 'success' },
  [COMMENT_STATUS.held]: { label: '待审核', color: 'warning' },
  [COMMENT_STATUS.removed]: { label: '已移除', color: 'error' },
};

const VISIBLE_NOW = '所有人马上就能看到。';

export const Page = () => (
  <ResourceScreen
    name="comment"
    title="评论"
    intro="全部评论与回复，新的在前；含敏感词的等待审核，只有写的人看得到"
    list={paged('GET core/sys/comment/')}
    nameOf={({ content }) => [...content].slice(0, 20).join('')}
    columns={[
      line('content', '内容'),
      person('user', '用户'),
      {
        key: 'essay',
        title: '文章',
        text: (row) => row.essay.title,
        show: ({ id, essay }) => (
          <TruncatedLink text={essay.title} to={`/essay/detail/${essay.id}.html#cmt-${id}`} />
        ),
      },
      tag('status', '状态', statuses),
      text('words', '敏感词'),
      {
        key: 'kind',
        title: '类型',
        text: (row) => (row.cmtId !== null ? '回复' : row.quote === null ? '评论' : '想法'),
        hidden: true,
      },
      text('quote', '划线', { hidden: true }),
      count('likeCount', '点赞', { sort: true }),
      count('replyCount', '回复', { sort: true, hidden: true }),
      text('region', '属地', { hidden: true }),
      ago('createdAt', '时间', { sort: true }),
    ]}
    keyword="搜索内容或访客的名字（最近两万条）"
    filters={[
      { name: 'status', label: '状态', options: optionsOf(statuses) },
      userFilter('userId', '用户'),
      { name: 'guest', label: '写的人', options: [{ value: String(FLAG.on), label: '导入的访客' }] },
      ...dayFilters,
      idFilter('essayId', '一篇文章'),
    ]}
    expanded={(row) => (
      <ExpandedContent>
        {row.quote === null ? null : <blockquote>{row.quote}</blockquote>}
        <Prose html={row.html} words={row.words} />
      </ExpandedContent>
    )}
    rowActions={[
      {
        label: '公开',
        permission: 'comment:update',
        when: (row) => row.status !== COMMENT_STATUS.visible,
        ask: () => ({ title: '公开这条评论？', text: VISIBLE_NOW }),
        run: (api, { id }) => api('PUT core/sys/comment/', { id, status: COMMENT_STATUS.visible }),
        done: '已公开这条评论',
        bulk: {
          label: ({ length }) => `公开 ${length} 条`,
          ask: ({ length }) => ({ title: `公开这 ${length} 条评论？`, text: VISIBLE_NOW }),
        },
      },
      {
        label: '移除',
        permission: 'comment:update',
        when: (row) => row.status !== COMMENT_STATUS.removed,
        danger: true,
        bulk: { label: ({ length }) => `移除 ${length} 条` },
        panel: removeCommentForm(({ id }) => id),
      },
      { label: '同一篇的评论', to: ({ essay }) => `/comment?essayId=${essay.id}` },
    ]}
  />
);
