import { Button } from 'antd';
import { useState } from 'react';
import styles from '#admin/features/comment/comment.module.css';
import { RemoveCommentForm } from '#admin/features/comment/remove-form.tsx';
import { StatusTag, statusOptions, statusText } from '#admin/features/comment/status.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { Line } from '#admin/ui/line.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { Prose } from '#admin/ui/prose.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import type { StaffComment } from '#contract/comments.ts';

const filters: Filter[] = [
  { name: 'status', label: '状态', options: statusOptions },
  { name: 'userId', label: '用户', render: (control) => <UserFilter label="用户" {...control} /> },
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
  { key: 'likeCount', title: '点赞', text: (row) => String(row.likeCount), align: 'end', hidden: true },
  { key: 'region', title: '属地', text: (row) => orDash(row.region), hidden: true },
  {
    key: 'createdAt',
    title: '时间',
    text: (row) => formatDateTime(row.createdAt),
    show: (row) => <TimeAgo at={row.createdAt} />,
  },
];

/** What can be told from others in a list of them. */
const nameOf = ({ content }: StaffComment): string => [...content].slice(0, 20).join('');

export function Page() {
  const { basePath } = useApp();
  const mayUpdate = useCan()('comment:update');
  const act = useAct();
  const confirm = useConfirm();
  const [removing, setRemoving] = useState<StaffComment>();

  async function release(rows: StaffComment[]): Promise<boolean> {
    const which = rows.length === 1 ? '这条评论' : `这 ${rows.length} 条评论`;
    if (!(await confirm({ title: `公开${which}？`, text: '所有人马上就能看到。', action: '公开' })))
      return false;
    return act(async (api) => {
      for (const { id } of rows) await api('PUT core/sys/comment/', { id, status: 0 });
    }, `已公开${which}`);
  }

  return (
    <Screen title="评论" intro="全部评论与回复，新的在前；含敏感词的等待审核，只有写的人看得到">
      <DataTable
        name="comment"
        title="评论"
        route="GET core/sys/comment/"
        columns={columnsOf(basePath)}
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
                row.status !== 0 && {
                  label: row.status === 1 ? '通过' : '恢复',
                  onClick: () => void release([row]),
                },
              mayUpdate &&
                row.status !== 2 && { label: '移除', danger: true, onClick: () => setRemoving(row) },
            ]}
          />
        )}
        batch={(rows, clear) => {
          const held = rows.filter((row) => row.status === 1);
          return mayUpdate && held.length > 0 ? (
            <Button
              size="small"
              onClick={async () => {
                if (await release(held)) clear();
              }}
            >
              通过待审核的 {held.length} 条
            </Button>
          ) : null;
        }}
      />
      <RemoveCommentForm subject={removing} onClose={() => setRemoving(undefined)} />
    </Screen>
  );
}
