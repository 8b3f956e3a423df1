import { PlusOutlined } from '@ant-design/icons';
import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { type PickRow, pickColumns, type StarRow, starColumns } from '#admin/features/code-star/columns.tsx';
import { type Picked, PickForm } from '#admin/features/code-star/pick-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { usePlace } from '#admin/lib/navigation.tsx';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { sortColumn } from '#admin/ui/row-columns.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { WholeTable } from '#admin/ui/whole-table.tsx';

type Tab = 'pick' | StarRange;
const tabs: { key: Tab; label: string; to: string }[] = [
  { key: 'pick', label: '编辑推荐', to: '/star' },
  { key: 'week', label: '近 7 天', to: '/star?range=week' },
  { key: 'month', label: '近 30 天', to: '/star?range=month' },
  { key: 'all', label: '全部时间', to: '/star?range=all' },
];
const MOST = 100;

export function Page() {
  const { api } = useApp();
  const act = useAct();
  const confirm = useConfirm();
  const batch = useBatch();
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
        await api('PUT core/code/star/', { userId: id, picked: FLAG.on, sort });
    }, '已调整顺序');

  async function unpick({ id, user }: PickRow): Promise<void> {
    const title = `不再推荐「${user.displayName}」？`;
    if (!(await confirm({ title, action: '取消推荐', danger: true }))) return;
    await act(
      (api) => api('PUT core/code/star/', { userId: id, picked: FLAG.off }),
      `已取消推荐「${user.displayName}」`,
    );
  }

  async function unpickAll(rows: PickRow[], choose: (left?: PickRow[]) => void): Promise<void> {
    const title = `不再推荐这 ${rows.length} 位作者？`;
    if (!(await confirm({ title, action: '取消推荐', danger: true }))) return;
    choose(
      await batch({
        verb: '取消推荐',
        rows,
        nameOf: ({ user }) => user.displayName,
        work: (api, { id }) => api('PUT core/code/star/', { userId: id, picked: FLAG.off }),
      }),
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
        <WholeTable<PickRow>
          {...shared}
          name="star-pick"
          title="推荐作者"
          columns={orderedColumns}
          rows={picks}
          keyword="搜索作者或推荐语"
          batch={(rows, choose) => (
            <Button size="small" danger onClick={() => void unpickAll(rows, choose)}>
              取消推荐
            </Button>
          )}
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
        <WholeTable<StarRow>
          {...shared}
          key={tab}
          name="star"
          title="上榜的作者"
          place={['range']}
          columns={starColumns}
          rows={stars}
          keyword="搜索作者"
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
