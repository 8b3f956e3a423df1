import { DownloadOutlined, UploadOutlined } from '@ant-design/icons';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { ExportForm } from '#admin/features/transfer/export-form.tsx';
import { ImportForm } from '#admin/features/transfer/import-form.tsx';
import { ReportDrawer } from '#admin/features/transfer/report-drawer.tsx';
import styles from '#admin/features/transfer/transfer.module.css';
import { usePolling } from '#admin/features/transfer/use-polling.ts';
import {
  canUndo,
  isOpen,
  kindOptions,
  nameOf,
  resultText,
  Status,
  statusText,
} from '#admin/features/transfer/words.tsx';
import { formatBytes, formatDateTime } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { Can } from '#admin/ui/can.tsx';
import { useConfirm, useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { Line } from '#admin/ui/line.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const filters: Filter[] = [{ name: 'kind', label: '种类', options: kindOptions }];

const columns: Column<Transfer>[] = [
  {
    key: 'what',
    title: '内容',
    text: (row) => `${nameOf(row)} ${row.fileName}`,
    show: (row) => (
      <div className={styles.what}>
        <span>{nameOf(row)}</span>
        <Line text={row.fileName} />
      </div>
    ),
  },
  { key: 'status', title: '状态', text: statusText, show: (row) => <Status transfer={row} /> },
  { key: 'result', title: '结果', text: resultText },
  {
    key: 'bytes',
    title: '大小',
    align: 'end',
    text: ({ fileBytes, kind }) =>
      kind === 'export' && fileBytes !== null && fileBytes > 0 ? formatBytes(fileBytes) : '-',
  },
  { key: 'by', title: '发起人', text: ({ by }) => by?.displayName ?? '-' },
  { key: 'createdAt', title: '开始时间', text: ({ createdAt }) => formatDateTime(createdAt) },
  {
    key: 'endedAt',
    title: '结束时间',
    text: ({ endedAt }) => (endedAt === null ? '-' : formatDateTime(endedAt)),
    hidden: true,
  },
];

export function Page() {
  const can = useCan();
  const act = useAct();
  const confirm = useConfirm();
  const confirmRemove = useConfirmRemove();
  const [form, setForm] = useState<'export' | 'import'>();
  const [subject, setSubject] = useState<Transfer>();
  usePolling();

  const download = (row: Transfer) =>
    act(async (api) => {
      const { url } = await api('GET core/sys/transfer/file', { id: row.id });
      location.assign(url);
    }, '已开始下载');

  const cancel = async (row: Transfer): Promise<void> => {
    const text = row.kind === 'import' ? '已经导入的会留下，可以再撤销。' : '已经做好的部分会丢弃。';
    if (!(await confirm({ title: `停止${nameOf(row)}？`, text, action: '停止', danger: true }))) return;
    await act((api) => api('POST core/sys/transfer/cancel', { id: row.id }), '已停止');
  };

  const undo = async (row: Transfer): Promise<void> => {
    const text =
      '这次导入带来的文章、评论、专栏、分类和新建的账号会删除，不能恢复；之后有人改过、买过或评论过的保留，并在报告里列出。';
    if (!(await confirm({ title: '撤销这次导入？', text, action: '撤销', danger: true }))) return;
    await act((api) => api('POST core/sys/transfer/undo', { id: row.id }), '已开始撤销');
  };

  return (
    <Screen
      title="导入导出"
      intro="文章成为 Markdown 文件，连同图片与附件，可以带到别处，也可以从别处带来"
      actions={
        <Can permission="transfer:create">
          <Button icon={<DownloadOutlined aria-hidden />} onClick={() => setForm('export')}>
            导出
          </Button>
          <Button type="primary" icon={<UploadOutlined aria-hidden />} onClick={() => setForm('import')}>
            导入
          </Button>
        </Can>
      }
    >
      <DataTable
        name="transfer"
        title="导入与导出的记录"
        route="GET core/sys/transfer/"
        columns={columns}
        filters={filters}
        actions={(row) => (
          <RowActions
            name={nameOf(row)}
            actions={[
              can('transfer:create') &&
                row.kind === 'export' &&
                row.status === 'done' &&
                row.fileBytes !== null && { label: '下载', onClick: () => void download(row) },
              can('transfer:create') &&
                isOpen(row) &&
                row.status !== 'undoing' && { label: '停止', onClick: () => void cancel(row) },
              (row.kind === 'import' || row.report.length > 0) && {
                label: '报告',
                onClick: () => setSubject(row),
              },
              can('transfer:remove') && canUndo(row) && { label: '撤销', onClick: () => void undo(row) },
              can('transfer:remove') &&
                !isOpen(row) && {
                  label: '删除',
                  danger: true,
                  onClick: () =>
                    void confirmRemove({
                      kind: '记录',
                      name: nameOf(row),
                      text:
                        row.kind === 'import'
                          ? '导入的内容不受影响，但不能再撤销。'
                          : '文件会一并删除，不能恢复。',
                      work: (api) => api('DELETE core/sys/transfer/', { id: row.id }),
                    }),
                },
            ]}
          />
        )}
      />
      <ExportForm open={form === 'export'} onClose={() => setForm(undefined)} />
      <ImportForm open={form === 'import'} onClose={() => setForm(undefined)} />
      <ReportDrawer subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
