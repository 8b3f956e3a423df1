import type { StaffComment } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { useState } from 'react';
import { CommentBatch, nameOf } from '#admin/features/comment/batch.tsx';
import styles from '#admin/features/comment/comment.module.css';
import { RemoveCommentForm } from '#admin/features/comment/remove-form.tsx';
import { StatusTag, statusOptions, statusText } from '#admin/features/comment/status.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { IdFilter } from '#admin/ui/id-filter.tsx';
import { Line } from '#admin/ui/line.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { Prose } from '#admin/ui/prose.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const filters: Filter[] = [
  { name: 'status', label: '状态', options: statusOptions },
  { name: 'userId', label: '用户', render: (control) => <UserFilter label="用户" {...control} /> },
  ...dayFilters,
  { name: 'essayId', label: '文章', render: (control) => <IdFilter label="一篇文章" {...control} /> },
];

const columnsOf = (basePath: string): Column<StaffComment>[] => [
  { key: 'content', title: '内容', text: (row) => row.content, show: (row) => <Line text={row.content} /> },
  {
    key: 'user',
    title: '用户',
    text: (row) => orDash(row.user?.displayName),
    show: (row) => <PersonLink user={row.user} />,
  },
  {
    key: 'essay',
    title: '文章',
    text: (row) => row.essay.title,
    show: ({ id, essay }) => (
      <Line text={essay.title} href={`${basePath}/essay/detail/${essay.id}.html#cmt-${id}`} />
    ),
  },
  {
    key: 'status',
    title: '状态',
    text: (row) => statusText(row.status),
    show: (row) => <StatusTag status={row.status} />,
  },
  { key: 'words', title: '敏感词', text: (row) => orDash(row.words.join('、')) },
  { key: 'kind', title: '种类', text: (row) => (row.cmtId === null ? '评论' : '回复'), hidden: true },
  { key: 'likeCount', title: '点赞', text: (row) => String(row.likeCount), align: 'end', sort: 'likeCount' },
  {
    key: 'replyCount',
    title: '回复',
    text: (row) => String(row.replyCount),
    align: 'end',
    sort: 'replyCount',
    hidden: true,
  },
  { key: 'region', title: '属地', text: (row) => orDash(row.region), hidden: true },
  {
    key: 'createdAt',
    title: '时间',
    sort: 'createdAt',
    text: (row) => formatDateTime(row.createdAt),
    show: (row) => <TimeAgo at={row.createdAt} />,
  },
];

export function Page() {
  const { basePath, router } = useApp();
  const mayUpdate = useCan()('comment:update');
  const act = useAct();
  const confirm = useConfirm();
  const [removing, setRemoving] = useState<StaffComment>();

  async function release({ id }: StaffComment): Promise<void> {
    if (!(await confirm({ title: '公开这条评论？', text: '所有人马上就能看到。', action: '公开' }))) return;
    await act((api) => api('PUT core/sys/comment/', { id, status: COMMENT_STATUS.shown }), '已公开这条评论');
  }

  return (
    <Screen title="评论" intro="全部评论与回复，新的在前；含敏感词的等待审核，只有写的人看得到">
      <DataTable
        name="comment"
        title="评论"
        route="GET core/sys/comment/"
        columns={columnsOf(basePath)}
        keyword="搜索内容（最近两万条）"
        filters={filters}
        expanded={(row) => (
          <div className={styles.said}>
            <Prose html={row.html} words={row.words} />
          </div>
        )}
        actions={(row) => (
          <RowActions
            name={nameOf(row)}
            actions={[
              mayUpdate &&
                row.status !== COMMENT_STATUS.shown && {
                  label: '公开',
                  onClick: () => void release(row),
                },
              mayUpdate &&
                row.status !== COMMENT_STATUS.removed && {
                  label: '移除',
                  danger: true,
                  onClick: () => setRemoving(row),
                },
              {
                label: '同一篇的评论',
                onClick: () => void router.navigate(`/comment?essayId=${row.essay.id}`, { keep: true }),
              },
            ]}
          />
        )}
        batch={(rows, choose) => (mayUpdate ? <CommentBatch rows={rows} choose={choose} /> : null)}
      />
      <RemoveCommentForm subject={removing} onClose={() => setRemoving(undefined)} />
    </Screen>
  );
}
