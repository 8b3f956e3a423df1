import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { columnsOf } from '#admin/features/essay/columns.tsx';
import { OffShelfForm, RemoveForm } from '#admin/features/essay/reason-forms.tsx';
import { RecordsDrawer } from '#admin/features/essay/records-drawer.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { essayStatusNames } from '#admin/ui/essay-status.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import type { StaffEssay } from '#contract/essays.ts';

/** What is open beside the table, and of which essay. */
interface Opened {
  panel: 'off' | 'remove' | 'records';
  essay: StaffEssay;
}

const statusOptions = Object.entries(essayStatusNames).map(([value, label]) => ({ value, label }));

export function Page() {
  const { api, basePath, router } = useApp();
  const can = useCan();
  const act = useAct();
  const confirm = useConfirm();
  const [opened, setOpened] = useState<Opened>();
  const categories = useQuery(call(api, 'GET core/sys/category/')).data;

  const filters: Filter[] = [
    { name: 'status', label: '状态', options: statusOptions },
    {
      name: 'categoryId',
      label: '分类',
      options: Array.isArray(categories)
        ? categories.map(({ id, name }) => ({ value: id, label: name }))
        : [],
    },
    { name: 'authorId', label: '作者', render: (control) => <UserFilter label="作者" {...control} /> },
  ];

  async function shelve({ id, title }: StaffEssay): Promise<void> {
    if (!(await confirm({ title: `上架「${title}」？`, text: '读者马上就能看到它。', action: '上架' })))
      return;
    await act((api) => api('PUT core/essay/status', { id, status: 3 }), `已上架「${title}」`);
  }

  const mayShelve = can('essay:update');
  const subjectOf = (panel: Opened['panel']) => (opened?.panel === panel ? opened.essay : undefined);
  const close = () => setOpened(undefined);
  return (
    <Screen title="文章" intro="全部文章，新近改动的在前">
      <DataTable
        name="essay"
        title="文章"
        route="GET core/sys/essay/"
        columns={columnsOf(basePath)}
        keyword="搜索标题"
        filters={filters}
        actions={(row) => (
          <RowActions
            name={row.title}
            actions={[
              can('essay:audit') &&
                (row.status === 1 || row.revision === 1) && {
                  label: '审核',
                  onClick: () => void router.navigate(`/audit?id=${row.id}`),
                },
              mayShelve &&
                (row.status === 2 || row.status === 4) && { label: '上架', onClick: () => void shelve(row) },
              mayShelve &&
                row.status === 3 && { label: '下架', onClick: () => setOpened({ panel: 'off', essay: row }) },
              { label: '记录', onClick: () => setOpened({ panel: 'records', essay: row }) },
              can('essay:remove') && {
                label: '删除',
                danger: true,
                onClick: () => setOpened({ panel: 'remove', essay: row }),
              },
            ]}
          />
        )}
      />
      <OffShelfForm subject={subjectOf('off')} onClose={close} />
      <RemoveForm subject={subjectOf('remove')} onClose={close} />
      <RecordsDrawer subject={subjectOf('records')} onClose={close} />
    </Screen>
  );
}
