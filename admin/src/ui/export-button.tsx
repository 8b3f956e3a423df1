import { DownloadOutlined } from '@ant-design/icons';
import { toCsv } from '@mozhan/client/csv.ts';
import { download } from '@mozhan/client/download.ts';
import { App, Button, Modal, Progress } from 'antd';
import { useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useFailures } from '#admin/lib/failures.ts';
import { formatDate } from '#admin/lib/format.ts';
import { collect, type PagedRoute, type RowOf } from '#admin/lib/paged.ts';
import { IconButton } from './icon-button.tsx';
import type { Column } from './use-columns.ts';

/** Beyond this a file is of no use in a spreadsheet; a narrower filter is. */
const MOST_ROWS = 10_000;

/** All columns, whether they are shown or not; what has no value is empty, not a dash. */
export function saveRows<T>(title: string, columns: readonly Column<T>[], rows: readonly T[]): void {
  const lines = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => column.text(row)).map((text) => (text === '-' ? '' : text))),
  ];
  download(`${title}-${formatDate(new Date().toISOString())}.csv`, toCsv(lines));
}

interface ExportButtonProps<R extends PagedRoute> {
  title: string;
  route: R;
  /** The current filter. */
  input: Record<string, unknown>;
  columns: readonly Column<RowOf<R>>[];
}

/** Saves what the current filter finds as a file, showing how far it is. */
export function ExportButton<R extends PagedRoute>({ title, route, input, columns }: ExportButtonProps<R>) {
  const { api } = useApp();
  const { message } = App.useApp();
  const fail = useFailures();
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>(undefined);

  async function run(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    try {
      const { signal } = controller;
      const rows = await collect(api, route, input, { most: MOST_ROWS, signal, onProgress: setProgress });
      saveRows(title, columns, rows);
      if (rows.length === MOST_ROWS)
        message.warning(`只导出了前 ${MOST_ROWS} 条，请缩小筛选范围后再导出其余的`);
      else message.success(`已导出 ${rows.length} 条`);
    } catch (error) {
      if (!controller.signal.aborted) fail(error);
    } finally {
      setProgress(undefined);
    }
  }

  const percent = Math.min(100, Math.round((progress ?? 1) * 100));
  return (
    <>
      <IconButton label="导出 CSV" icon={<DownloadOutlined />} onClick={() => void run()} />
      <Modal
        title={`正在导出${title}`}
        open={progress !== undefined}
        closable={false}
        mask={{ closable: false }}
        width={400}
        onCancel={() => running.current?.abort()}
        footer={<Button onClick={() => running.current?.abort()}>取消</Button>}
      >
        <Progress percent={percent} aria-label="导出进度" />
      </Modal>
    </>
  );
}
