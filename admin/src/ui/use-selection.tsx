import { Button, type TableProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { follow, type Selection, stillIn } from '#admin/lib/selection.ts';
import { saveRows } from './export-button.tsx';
import styles from './table-card.module.css';
import type { Column } from './use-columns.ts';

interface SelectionOptions<T> {
  title: string;
  columns: readonly Column<T>[];
  /** Search and filters: with others nothing is chosen. */
  scope: string;
  /** Which page `rows` are; undefined: they are all there are. */
  page?: string;
  /** Those on the screen, which know more than what was kept when they were chosen. */
  rows: readonly T[] | undefined;
  /** What can be done with the chosen ones; afterwards it says which ones stay chosen. */
  batch: ((rows: T[], choose: (left?: T[]) => void) => ReactNode) | undefined;
}

/** Rows chosen over several pages, the bar that tells what can be done with them, and the table's part in it. */
export function useSelection<T extends { id: string }>(options: SelectionOptions<T>) {
  const { title, columns, scope, page, rows, batch } = options;
  // A list that comes whole is made anew each time, and needs not be remembered.
  const seen = { scope, page: page ?? '', rows: page === undefined ? undefined : rows };
  const [before, setSelection] = useState<Selection<T>>({ ...seen, kept: [] });
  const selection = follow(before, seen);
  if (selection !== before) setSelection(selection);
  const chosen = page === undefined ? stillIn(selection.kept, rows ?? []) : [...selection.kept];
  const choose = (left: T[] = []) => {
    const ids = new Set(left.map((row) => row.id));
    setSelection((now) => ({ ...now, kept: now.kept.filter((row) => ids.has(row.id)) }));
  };
  const rowSelection: TableProps<T>['rowSelection'] = {
    selectedRowKeys: chosen.map((row) => row.id),
    preserveSelectedRowKeys: true,
    onChange: (_, kept) => setSelection((now) => ({ ...now, kept })),
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
