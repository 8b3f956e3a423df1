import { Button, type TableProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { saveRows } from './export-button.tsx';
import styles from './table-card.module.css';
import type { Column } from './use-columns.ts';

interface SelectionOptions<T> {
  title: string;
  columns: readonly Column<T>[];
  /** Those on the screen, which know more than what was kept when they were chosen. */
  rows: readonly T[] | undefined;
  /** What can be done with the chosen ones; afterwards it says which ones stay chosen. */
  batch: ((rows: T[], choose: (left?: T[]) => void) => ReactNode) | undefined;
}

/** Rows chosen over several pages, the bar that tells what can be done with them, and the table's part in it. */
export function useSelection<T extends { id: string }>({ title, columns, rows, batch }: SelectionOptions<T>) {
  const [kept, setKept] = useState<T[]>([]);
  const known = new Map(rows?.map((row) => [row.id, row]));
  const chosen = kept.map((row) => known.get(row.id) ?? row);
  const choose = (left: T[] = []) => setKept(left);
  const rowSelection: TableProps<T>['rowSelection'] = {
    selectedRowKeys: chosen.map((row) => row.id),
    preserveSelectedRowKeys: true,
    onChange: (_, rows) => setKept(rows),
    getCheckboxProps: (row) => ({ 'aria-label': `选择${columns[0]?.text(row) ?? ''}` }),
    getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
  };
  return {
    bar:
      chosen.length === 0 ? null : (
        <div className={styles.chosen} role="status">
          <span>已选 {chosen.length} 项</span>
          {batch?.(chosen, choose)}
          <Button size="small" onClick={() => saveRows(title, columns, chosen)}>
            导出所选
          </Button>
          <Button size="small" type="link" onClick={() => choose()}>
            取消选择
          </Button>
        </div>
      ),
    table: batch === undefined ? {} : { rowSelection },
  };
}
