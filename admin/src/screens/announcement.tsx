import { PlusOutlined } from '@ant-design/icons';
import type { Announcement } from '@mozhan/contract/announcements.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import styles from '#admin/features/announcement/announcement.module.css';
import { AnnouncementForm } from '#admin/features/announcement/announcement-form.tsx';
import { LevelTag, levelNames, levelOptions } from '#admin/features/announcement/levels.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { spanOf, stateOf } from '#admin/lib/moments.ts';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { Line } from '#admin/ui/line.tsx';
import { Prose } from '#admin/ui/prose.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { type WholeFilter, WholeTable } from '#admin/ui/whole-table.tsx';

const states = ['展示中', '未开始', '已结束', '停用'];

const filters: WholeFilter<Announcement>[] = [
  {
    name: 'state',
    label: '状态',
    options: states.map((state) => ({ value: state, label: state })),
    test: (row, value) => stateOf(row, new Date()) === value,
  },
  { name: 'level', label: '级别', options: levelOptions, test: (row, value) => row.level === value },
];

const nameOf = (row: Announcement): string => row.title;
const enable = (api: Client, { id }: Announcement, enabled: Flag) =>
  api('PUT core/sys/announcement/', { id, enabled });
const remove = (api: Client, { id }: Announcement) => api('DELETE core/sys/announcement/', { id });

export function Page() {
  const { api } = useApp();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<Announcement | 'new'>();
  const { data: rows, error, isFetching, refetch } = useQuery(call(api, 'GET core/sys/announcement/'));
  const [mayUpdate, mayRemove] = [can('announcement:update'), can('announcement:remove')];

  const setEnabled = (row: Announcement, enabled: Flag) =>
    act((api) => enable(api, row, enabled), `已${enabledText(enabled)}「${row.title}」`);
  const move = (row: Announcement, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(rows ?? [], row.id, by)) await api('PUT core/sys/announcement/', change);
    }, '已调整顺序');

  const columns: Column<Announcement>[] = [
    { key: 'title', title: '标题', text: nameOf, show: (row) => <Line text={row.title} /> },
    {
      key: 'level',
      title: '级别',
      text: (row) => levelNames[row.level],
      show: (row) => <LevelTag level={row.level} />,
    },
    {
      key: 'link',
      title: '链接',
      text: (row) => orDash(row.link),
      show: (row) => <Line text={orDash(row.link)} />,
    },
    { key: 'span', title: '展示时间', text: spanOf },
    { key: 'state', title: '状态', text: (row) => stateOf(row, new Date()) },
    { key: 'createdAt', title: '发布时间', text: (row) => formatDateTime(row.createdAt), hidden: true },
    sortColumn({ nameOf, mayUpdate, siblingsOf: () => rows, move }),
    enabledColumn({ nameOf, mayUpdate, setEnabled }),
  ];

  return (
    <Screen
      title="公告"
      intro="显示在首页和分类页的上方，同时最多三条，按这里的顺序；读者可以收起"
      actions={
        <Can permission="announcement:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            发布公告
          </Button>
        </Can>
      }
    >
      <WholeTable
        name="announcement"
        title="公告"
        columns={columns}
        rows={rows}
        busy={isFetching}
        error={error}
        onRefresh={() => void refetch()}
        keyword="搜索公告"
        filters={filters}
        expandable={{
          expandedRowRender: (row) => (
            <div className={styles.text}>
              <Prose html={row.html} />
            </div>
          ),
          rowExpandable: (row) => row.html !== '',
        }}
        actions={(row) => (
          <RowActions
            name={row.title}
            actions={[
              mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
              mayRemove && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '公告',
                    name: row.title,
                    text: '读者立即不再看到，不能恢复。',
                    work: (api) => remove(api, row),
                  }),
              },
            ]}
          />
        )}
        batch={(chosen, choose) => (
          <BatchButtons
            kind="公告"
            rows={chosen}
            choose={choose}
            nameOf={nameOf}
            setEnabled={mayUpdate ? enable : undefined}
            remove={mayRemove ? remove : undefined}
          />
        )}
      />
      <AnnouncementForm subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
