import { toCsv } from '@mozhan/client/csv.ts';
import { downloadText } from '@mozhan/client/download.ts';
import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './export-button.module.css';
import { Icon } from './icon-set.tsx';
import { Progress } from './progress.tsx';
import { toast } from './toast.tsx';

const PAGE_SIZE = 100;

interface ExportButtonProps<Row> {
  fileName: string;
  head: readonly string[];
  toCells: (row: Row) => string[];
  readPage: (position: { pageSize: number; cursor?: string }) => Promise<Page<Row>>;
}

/** Reads all pages of a list and downloads it as CSV. */
export function ExportButton<Row>({ fileName, head, toCells, readPage }: ExportButtonProps<Row>) {
  /** From 0 to 1 during the export, otherwise null. */
  const [progress, setProgress] = useState<number | null>(null);

  async function start(): Promise<void> {
    if (progress !== null) return;
    setProgress(0);
    try {
      const rows: Row[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { list, total, next }: Page<Row> = await readPage({
          pageSize: PAGE_SIZE,
          ...(cursor !== '' && { cursor }),
        });
        rows.push(...list);
        setProgress(total === 0 ? 1 : Math.min(1, rows.length / total));
        cursor = next;
      }
      downloadText(fileName, toCsv([head, ...rows.map(toCells)]));
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setProgress(null);
    }
  }

  return (
    <div className={styles.export}>
      {progress === null ? null : <Progress value={progress} label="导出进度" />}
      <Button size="small" busy={progress !== null} onClick={start}>
        <Icon name="download" small />
        {progress === null ? '导出 CSV' : `正在导出 ${Math.round(progress * 100)}%`}
      </Button>
    </div>
  );
}
