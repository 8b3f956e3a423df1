import type { EditorView } from '@codemirror/view';
import type { TableChange } from '@mozhan/editor/table-text.ts';
import { changeTable, insertTable } from '@mozhan/editor/tables.ts';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import styles from './table-helper.module.css';

const sizes = [1, 2, 3, 4, 5, 6];

const changes: { change: TableChange; label: string }[] = [
  { change: 'addRow', label: '下面加一行' },
  { change: 'addColumn', label: '右边加一列' },
  { change: 'removeRow', label: '删除这一行' },
  { change: 'removeColumn', label: '删除这一列' },
];

interface TableHelperProps {
  view: EditorView;
  inTable: boolean;
  onDone: () => void;
}

/** Inside a table it changes rows and columns, elsewhere it inserts a new one. */
export function TableHelper({ view, inTable, onDone }: TableHelperProps) {
  const [size, setSize] = useState<[rows: number, columns: number]>([3, 3]);

  if (inTable) {
    return (
      <div className={styles.changes}>
        {changes.map(({ change, label }) => (
          <Button
            key={change}
            variant="ghost"
            size="small"
            onClick={() => {
              changeTable(view, change);
              onDone();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    );
  }

  const [rows, columns] = size;
  return (
    <div>
      <div className={styles.grid}>
        {sizes.flatMap((row) =>
          sizes.map((column) => (
            <button
              key={`${row}-${column}`}
              type="button"
              className={styles.cell}
              aria-label={`${row} 行 ${column} 列`}
              data-on={(row <= rows && column <= columns) || undefined}
              onPointerEnter={() => setSize([row, column])}
              onFocus={() => setSize([row, column])}
              onClick={() => {
                onDone();
                insertTable(view, row, column);
              }}
            />
          )),
        )}
      </div>
      <p className={`ink-2 text-s text-center ${styles.size}`} aria-hidden="true">
        {rows} 行 × {columns} 列
      </p>
    </div>
  );
}
