import { Button, type TableProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { refreshRows, type Selection, updateSelection } from '#admin/lib/selection.ts';
import { saveAsCsv } from './export-button.tsx';
import styles from './table-card.module.css';
import type { Column } from './use-columns.ts';

interface SelectionOptions<T> {
  title: string;
  columns: readonly Column<T>[];
  /** Search and filters; a change clears the selection. */
  scope: string;
  /** Page key of `rows`; undefined for an unpaged list. */
  page?: string;
  /** Displayed rows; their data replaces that of selected rows. */
  rows: readonly T[] | undefined;
  /** Renders buttons for the selected rows; the second argument sets the remaining selection. */
  batch: ((rows: T[], selectRows: (left?: T[]) => void) => ReactNode) | undefined;
}

/** Selection across pages: the toolbar for selected rows, and props of the table. */
export function useSelection<T extends { id: string }>(options: SelectionOptions<T>) {
  const { title, columns, scope, page, rows, batch } = options;
  // Rows of an unpaged list are new objects on each render and must not be stored.
  const loaded = { scope, page: page ?? '', rows: page === undefined ? undefined : rows };
  const [before, setSelection] = useState<Selection<T>>({ ...loaded, selected: [] });
  const selection = updateSelection(before, loaded);
  if (selection !== before) setSelection(selection);
  const selectedRows =
    page === undefined ? refreshRows(selection.selected, rows ?? []) : [...selection.selected];
  const selectRows = (left: T[] = []) => {
    const ids = new Set(left.map((row) => row.id));
    setSelection((now) => ({ ...now, selected: now.selected.filter((row) => ids.has(row.id)) }));
  };
  const rowSelection: TableProps<T>['rowSelection'] = {
    selectedRowKeys: selectedRows.map((row) => row.id),
    preserveSelectedRowKeys: true,
    onChange: (_, selected) => setSelection((now) => ({ ...now, selected })),
    getCheckboxProps: (row) => ({ 'aria-label': `选择${columns[0]?.text(row) ?? ''}` }),
    getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
  };
  return {
    bar:
      selectedRows.length === 0 ? null : (
        <div className={styles.chosen} role="status">
          <span>已选 {selectedRows.length} 项</span>
          {batch?.(selectedRows, selectRows)}
          <Button size="small" onClick={() => saveAsCsv(title, columns, selectedRows)}>
            导出所选
          </Button>
          <Button size="small" type="link" onClick={() => selectRows()}>
            取消选择
          </Button>
        </div>
      ),
    table: batch === undefined ? {} : { rowSelection },
  };
}
