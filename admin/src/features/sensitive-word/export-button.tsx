import { download } from '@mozhan/client/download.ts';
import { App, Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useFailures } from '#admin/lib/failures.ts';
import { formatDate } from '#admin/lib/format.ts';
import { collect } from '#admin/lib/paged.ts';

/** More than there can be. */
const MOST = 100_000;

/** Saves the words as text, one a line, as the paste form reads them. */
export function TextExportButton({ filter }: { filter: Record<string, unknown> }) {
  const { api } = useApp();
  const { message } = App.useApp();
  const fail = useFailures();
  const [busy, setBusy] = useState(false);

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const options = { most: MOST, signal: new AbortController().signal, onProgress: () => {} };
      const rows = await collect(api, 'GET core/sys/word/', filter, options);
      const name = `敏感词-${formatDate(new Date().toISOString())}.txt`;
      download(name, rows.map((row) => `${row.word}\n`).join(''), 'text/plain');
      message.success(`已导出 ${rows.length} 个`);
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button loading={busy} onClick={() => void run()}>
      导出文本
    </Button>
  );
}
