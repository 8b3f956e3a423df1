import { downloadText } from '@mozhan/client/download.ts';
import { App, Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDate } from '#admin/lib/format.ts';
import { collectRows } from '#admin/lib/paged.ts';
import { useShowError } from '#admin/lib/show-error.ts';

/** More than can exist. */
const MAX_WORDS = 100_000;

/** Saves the words as a text file that the paste form can import. */
export function TextExportButton({ filter }: { filter: Record<string, unknown> }) {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const [busy, setBusy] = useState(false);

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const options = { maxRows: MAX_WORDS, signal: new AbortController().signal, onProgress: () => {} };
      const rows = await collectRows(api, 'GET core/sys/word/', filter, options);
      const name = `敏感词-${formatDate(new Date().toISOString())}.txt`;
      downloadText(name, rows.map((row) => `${row.word}\n`).join(''), 'text/plain');
      message.success(`已导出 ${rows.length} 个`);
    } catch (error) {
      showError(error);
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
