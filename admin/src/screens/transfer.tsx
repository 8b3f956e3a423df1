import { DownloadOutlined, UploadOutlined } from '@ant-design/icons';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { ExportForm } from '#admin/features/transfer/export-form.tsx';
import { ImportScreen } from '#admin/features/transfer/import-screen.tsx';
import {
  canUndo,
  isUnfinished,
  kindOptions,
  nameOf,
  resultText,
  StatusTag,
  statusText,
  UNDO_QUESTION,
} from '#admin/features/transfer/labels.tsx';
import { ReportDrawer } from '#admin/features/transfer/report-drawer.tsx';
import styles from '#admin/features/transfer/transfer.module.css';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { useIsAnyDisplayed, usePolling } from '#admin/lib/use-polling.ts';
import { Can } from '#admin/ui/can.tsx';
import { personName, time } from '#admin/ui/columns.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { TruncatedText } from '#admin/ui/truncated-text.tsx';

/** Unfinished runs are always among the newest, which the displayed list may not contain. */
const NEWEST = 10;
const ROUTES = ['GET core/sys/transfer/', 'GET core/sys/transfer/item'] as const;

function stopText({ kind, status }: Transfer): string {
  if (status === 'checking' || status === 'ready') return '还没有导入任何内容，上传的文件会删除。';
  return kind === 'import' ? '已经导入的会留下，可以再撤销。' : '已经做好的部分会丢弃。';
}

function Runs() {
  const { api, router } = useApp();
  const [isExporting, setIsExporting] = useState(false);
  useQuery(call(api, 'GET core/sys/transfer/', { page: 1, pageSize: NEWEST }));
  const isAnyRunning = useIsAnyDisplayed('GET core/sys/transfer/', ({ list }) => list.some(isUnfinished));
  usePolling(isAnyRunning, ROUTES);
  return (
    <>
      <ResourceScreen
        name="transfer"
        title="导入导出"
        intro="文章成为 Markdown 文件，连同图片与附件，可以带到别处，也可以从别处带来"
        noun="导入与导出的记录"
        actions={
          <Can permission="transfer:create">
            <Button icon={<DownloadOutlined aria-hidden />} onClick={() => setIsExporting(true)}>
              导出
            </Button>
            <Button
              type="primary"
              icon={<UploadOutlined aria-hidden />}
              onClick={() => void router.navigate('/transfer?import=new')}
            >
              导入
            </Button>
          </Can>
        }
        list={paged('GET core/sys/transfer/')}
        nameOf={nameOf}
        columns={[
          {
            key: 'what',
            title: '内容',
            text: (row) => `${nameOf(row)} ${row.fileName}`,
            show: (row) => (
              <div className={styles.what}>
                <span>{nameOf(row)}</span>
                <TruncatedText text={row.fileName} />
              </div>
            ),
          },
          { key: 'status', title: '状态', text: statusText, show: (row) => <StatusTag transfer={row} /> },
          { key: 'result', title: '结果', text: resultText },
          {
            key: 'bytes',
            title: '大小',
            align: 'end',
            text: ({ fileBytes, kind }) =>
              kind === 'export' && fileBytes !== null && fileBytes > 0 ? formatBytes(fileBytes) : '-',
          },
          personName('by', '发起人'),
          time('createdAt', '开始时间'),
          time('endedAt', '结束时间', { hidden: true }),
        ]}
        filters={[{ name: 'kind', label: '类型', options: kindOptions }]}
        rowActions={[
          {
            label: '下载',
            permission: 'transfer:create',
            when: ({ kind, status, fileBytes }) =>
              kind === 'export' && status === 'done' && fileBytes !== null,
            run: async (api, { id }) =>
              location.assign((await api('GET core/sys/transfer/file', { id })).url),
            done: '已开始下载',
          },
          {
            label: '继续',
            when: ({ status }) => status === 'checking' || status === 'ready',
            run: (_, { id }) => router.navigate(`/transfer?import=${id}`),
          },
          {
            label: '停止',
            permission: 'transfer:create',
            when: (row) => (isUnfinished(row) && row.status !== 'undoing') || row.status === 'ready',
            ask: (row) => ({
              title: `停止${nameOf(row)}？`,
              text: stopText(row),
              danger: true,
            }),
            run: (api, { id }) => api('POST core/sys/transfer/cancel', { id }),
            done: '已停止',
          },
          {
            label: '报告',
            when: ({ kind, status, report }) =>
              (kind === 'import' && status !== 'checking' && status !== 'ready') || report.length > 0,
            panel: (props) => <ReportDrawer {...props} />,
          },
          {
            label: '撤销',
            permission: 'transfer:remove',
            when: canUndo,
            ask: () => UNDO_QUESTION,
            run: (api, { id }) => api('POST core/sys/transfer/undo', { id }),
            done: '已开始撤销',
          },
          {
            label: '删除',
            permission: 'transfer:remove',
            when: (row) => !isUnfinished(row),
            danger: true,
            ask: (row) => ({
              title: `删除记录「${nameOf(row)}」？`,
              text:
                row.kind === 'import' ? '导入的内容不受影响，但不能再撤销。' : '文件会一并删除，不能恢复。',
            }),
            run: (api, { id }) => api('DELETE core/sys/transfer/', { id }),
            done: (row) => `已删除记录「${nameOf(row)}」`,
          },
        ]}
      />
      <ExportForm open={isExporting} onClose={() => setIsExporting(false)} />
    </>
  );
}

/** The list of runs, or one import when the URL contains it. */
export function Page() {
  const id = useLocation().search.get('import');
  return id === null ? <Runs /> : <ImportScreen key={id} id={id} />;
}
