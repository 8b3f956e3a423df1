import { useState } from 'react';
import type { Output } from '#contract/client.ts';
import type { EssayFigures } from '#contract/stats.ts';
import { useApi } from '#web/lib/app-context.ts';
import { messageOf } from '#web/lib/errors.ts';
import { formatDate } from '#web/lib/format.ts';
import { toast } from '#web/ui/toast.tsx';
import { toCsv } from './csv.ts';

const PAGE_SIZE = 100;

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Fetches the figures of every essay, page by page, and saves them as a file. */
export function useExport() {
  const api = useApi();
  /** From 0 to 1 while it is under way. */
  const [progress, setProgress] = useState<number | null>(null);

  async function start(): Promise<void> {
    if (progress !== null) return;
    setProgress(0);
    try {
      const essays: EssayFigures[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { list, total, next }: Output<'GET core/user/stat/essay'> = await api(
          'GET core/user/stat/essay',
          {
            pageSize: PAGE_SIZE,
            ...(cursor !== '' && { cursor }),
          },
        );
        essays.push(...list);
        setProgress(total === 0 ? 1 : Math.min(1, essays.length / total));
        cursor = next;
      }
      save(`文章数据-${formatDate(new Date())}.csv`, toCsv(essays));
    } catch (error) {
      toast(messageOf(error), 'bad');
    } finally {
      setProgress(null);
    }
  }

  return { progress, start };
}
