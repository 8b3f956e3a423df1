import { downloadText } from '@mozhan/client/download.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDate } from '#admin/lib/format.ts';
import { useShowError } from '#admin/lib/show-error.ts';

/** Saves all redirects as a CSV file that the import form accepts. */
export function ExportAllButton() {
  const { api } = useApp();
  const showError = useShowError();
  const [isBusy, setBusy] = useState(false);

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const parts: string[] = [];
      let after: string | null = null;
      do {
        const part: { csv: string; next: string | null } = await api(
          'GET core/sys/redirect/export',
          after === null ? {} : { after },
        );
        parts.push(part.csv);
        after = part.next;
      } while (after !== null);
      downloadText(`旧网址跳转-${formatDate(new Date().toISOString())}.csv`, parts.join(''));
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button loading={isBusy} onClick={() => void run()}>
      导出全部
    </Button>
  );
}
