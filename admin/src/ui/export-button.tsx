import { DownloadOutlined } from '@ant-design/icons';
import { toCsv } from '@mozhan/client/csv.ts';
import { downloadText } from '@mozhan/client/download.ts';
import { App, Button, Modal, Progress } from 'antd';
import { useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDate } from '#admin/lib/format.ts';
import { collectRows, type PagedRoute, type RowOf } from '#admin/lib/paged.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { IconButton } from './icon-button.tsx';
import type { Column } from './use-columns.ts';

/** Larger files are impractical in a spreadsheet. */
const MAX_ROWS = 10_000;

/** Saves all columns as CSV, also hidden ones; empty values instead of dashes. */
export function saveAsCsv<T>(title: string, columns: readonly Column<T>[], rows: readonly T[]): void {
  const lines = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => column.text(row)).map((text) => (text === '-' ? '' : text))),
  ];
  downloadText(`${title}-${formatDate(new Date().toISOString())}.csv`, toCsv(lines));
}

interface ExportButtonProps<R extends PagedRoute> {
  title: string;
  route: R;
  input: Record<string, unknown>;
  columns: readonly Column<RowOf<R>>[];
}

export function ExportButton<R extends PagedRoute>({ title, route, input, columns }: ExportButtonProps<R>) {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>(undefined);

  async function run(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    try {
      const { signal } = controller;
      const rows = await collectRows(api, route, input, {
        maxRows: MAX_ROWS,
        signal,
        onProgress: setProgress,
      });
      saveAsCsv(title, columns, rows);
      if (rows.length === MAX_ROWS)
        message.warning(`只导出了前 ${MAX_ROWS} 条，请缩小筛选范围后再导出其余的`);
      else message.success(`已导出 ${rows.length} 条`);
    } catch (error) {
      if (!controller.signal.aborted) showError(error);
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
