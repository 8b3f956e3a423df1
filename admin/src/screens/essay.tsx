import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { canShelve, EssayBatch, isOnShelf } from '#admin/features/essay/batch.tsx';
import { columnsOf } from '#admin/features/essay/columns.tsx';
import { FileForm } from '#admin/features/essay/file-form.tsx';
import { filtersWith } from '#admin/features/essay/filters.tsx';
import { OffShelfForm, RemoveForm } from '#admin/features/essay/reason-forms.tsx';
import { RecordsDrawer } from '#admin/features/essay/records-drawer.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';

/** What is open beside the table, and of which essay. */
interface Opened {
  panel: 'off' | 'remove' | 'records' | 'file';
  essay: StaffEssay;
}

/** What is being audited stays as it is. */
const canFile = (row: StaffEssay): boolean => isOnShelf(row) && (row.revision ?? 0) === 0;

export function Page() {
  const { api, basePath, router } = useApp();
  const can = useCan();
  const act = useAct();
  const confirm = useConfirm();
  const [opened, setOpened] = useState<Opened>();
  const found = useQuery(call(api, 'GET core/sys/category/')).data;
  const categories = Array.isArray(found)
    ? found.map(({ id, name, enabled }) => ({ value: id, label: name, disabled: enabled === FLAG.off }))
    : [];

  async function shelve({ id, title }: StaffEssay): Promise<void> {
    if (!(await confirm({ title: `上架「${title}」？`, text: '读者马上就能看到它。', action: '上架' })))
      return;
    await act(
      (api) => api('PUT core/essay/status', { id, status: ESSAY_STATUS.onShelf }),
      `已上架「${title}」`,
    );
  }

  const mayUpdate = can('essay:update');
  const subjectOf = (panel: Opened['panel']) => (opened?.panel === panel ? opened.essay : undefined);
  const open = (panel: Opened['panel'], essay: StaffEssay) => () => setOpened({ panel, essay });
  const close = () => setOpened(undefined);
  return (
    <Screen title="文章" intro="全部文章，新近改动的在前；点列名可以按阅读、点赞等排序">
      <DataTable
        name="essay"
        title="文章"
        route="GET core/sys/essay/"
        columns={columnsOf(basePath)}
        keyword="搜索标题"
        keywordMax={100}
        filters={filtersWith(categories.map(({ value, label }) => ({ value, label })))}
        actions={(row) => (
          <RowActions
            name={row.title}
            actions={[
              can('essay:audit') &&
                (row.status === ESSAY_STATUS.waiting || row.revision === ESSAY_STATUS.waiting) && {
                  label: '审核',
                  onClick: () => void router.navigate(`/audit?id=${row.id}`),
                },
              mayUpdate && canShelve(row) && { label: '上架', onClick: () => void shelve(row) },
              mayUpdate && isOnShelf(row) && { label: '下架', onClick: open('off', row) },
              { label: '记录', onClick: open('records', row) },
              mayUpdate && canFile(row) && { label: '分类与标签', onClick: open('file', row) },
              can('comment:list') &&
                row.cmtCount > 0 && {
                  label: '评论',
                  onClick: () => void router.navigate(`/comment?essayId=${row.id}`),
                },
              can('essay:remove') && { label: '删除', danger: true, onClick: open('remove', row) },
            ]}
          />
        )}
        batch={(rows, choose) => <EssayBatch rows={rows} choose={choose} />}
      />
      <OffShelfForm subject={subjectOf('off')} onClose={close} />
      <RemoveForm subject={subjectOf('remove')} onClose={close} />
      <FileForm subject={subjectOf('file')} categories={categories} onClose={close} />
      <RecordsDrawer subject={subjectOf('records')} onClose={close} />
    </Screen>
  );
}
