import { DownloadOutlined, PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { type PickRow, pickColumns, type StarRow, starColumns } from '#admin/features/star/columns.tsx';
import { type Picked, PickForm } from '#admin/features/star/pick-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { saveRows } from '#admin/ui/export-button.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { sortColumn } from '#admin/ui/row-columns.tsx';
import { Nothing, Screen } from '#admin/ui/screen.tsx';
import { TableCard } from '#admin/ui/table-card.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import type { StarRange } from '#contract/stars.ts';

type Tab = 'pick' | StarRange;
const tabs: { key: Tab; label: string; to: string }[] = [
  { key: 'pick', label: '编辑推荐', to: '/star' },
  { key: 'week', label: '近 7 天', to: '/star?range=week' },
  { key: 'month', label: '近 30 天', to: '/star?range=month' },
  { key: 'all', label: '全部时间', to: '/star?range=all' },
];
const MOST = 100;

function SaveButton<T>({ title, columns, rows }: { title: string; columns: Column<T>[]; rows: T[] }) {
  return (
    <Tooltip title="导出 CSV">
      <Button
        type="text"
        icon={<DownloadOutlined />}
        aria-label="导出 CSV"
        onClick={() => saveRows(title, columns, rows)}
      />
    </Tooltip>
  );
}

export function Page() {
  const { api } = useApp();
  const act = useAct();
  const confirm = useConfirm();
  const wanted = usePlace().search.get('range');
  const tab = tabs.find(({ key }) => key === wanted)?.key ?? 'pick';
  const range = tab === 'pick' ? 'week' : tab;
  const [subject, setSubject] = useState<Picked>();
  const query = useQuery(call(api, 'GET core/code/star/', { range, limit: MOST }));
  const picks = query.data?.picks.map((each): PickRow => ({ ...each, id: each.user.id }));
  const stars = query.data?.list.map((each): StarRow => ({ ...each, id: each.user.id }));
  const pickOf = (id: string) => picks?.find((each) => each.id === id);

  const move = (row: PickRow, by: -1 | 1) =>
    act(async (api) => {
      for (const { id, sort } of moved(picks ?? [], row.id, by))
        await api('PUT core/code/star/', { userId: id, picked: 1, sort });
    }, '已调整顺序');

  async function unpick({ id, user }: PickRow): Promise<void> {
    const title = `不再推荐「${user.displayName}」？`;
    if (!(await confirm({ title, action: '取消推荐', danger: true }))) return;
    await act(
      (api) => api('PUT core/code/star/', { userId: id, picked: 0 }),
      `已取消推荐「${user.displayName}」`,
    );
  }

  const shared = {
    busy: query.isFetching,
    error: query.error,
    onRefresh: () => void query.refetch(),
  };
  const orderedColumns = [
    ...pickColumns,
    sortColumn<PickRow>({
      nameOf: (row) => row.user.displayName,
      mayUpdate: true,
      siblingsOf: () => picks,
      move,
    }),
  ];

  return (
    <Screen
      title="码星"
      intro="作者的排名每 10 分钟算一次；编辑推荐的作者最多 20 位，显示在排名旁"
      actions={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
          推荐作者
        </Button>
      }
    >
      <LinkTabs label="榜单" tabs={tabs} selected={tab} />
      {tab === 'pick' ? (
        <TableCard<PickRow>
          {...shared}
          name="star-pick"
          columns={orderedColumns}
          rows={picks}
          extra={<SaveButton title="编辑推荐" columns={orderedColumns} rows={picks ?? []} />}
          empty={<Nothing title="还没有推荐作者" />}
          actions={(row) => (
            <RowActions
              name={row.user.displayName}
              actions={[
                {
                  label: '编辑',
                  onClick: () => setSubject({ id: row.id, name: row.user.displayName, note: row.note }),
                },
                { label: '取消推荐', danger: true, onClick: () => void unpick(row) },
              ]}
            />
          )}
        />
      ) : (
        <TableCard<StarRow>
          {...shared}
          name="star"
          columns={starColumns}
          rows={stars}
          extra={<SaveButton title="码星" columns={starColumns} rows={stars ?? []} />}
          empty={<Nothing title="这段时间还没有人上榜" />}
          actions={(row) => (
            <RowActions
              name={row.user.displayName}
              actions={[
                pickOf(row.id) === undefined && {
                  label: '推荐',
                  onClick: () => setSubject({ id: row.id, name: row.user.displayName, note: '' }),
                },
              ]}
            />
          )}
        />
      )}
      <PickForm subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
