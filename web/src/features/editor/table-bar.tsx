import { Toolbar as Base } from '@base-ui/react/toolbar';
import type { EditorView } from '@codemirror/view';
import { tableIconPaths } from '@mozhan/editor/table-icons.ts';
import { canChangeTable, type TableChange } from '@mozhan/editor/table-text.ts';
import { changeTable, type TableInfo } from '@mozhan/editor/tables.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { IconSvg } from '#web/ui/icon.tsx';
import styles from './context-bar.module.css';

type BarChange = keyof typeof tableIconPaths;

const groups: { name: string; items: readonly { change: BarChange; label: string; keys?: string }[] }[] = [
  {
    name: '行',
    items: [
      { change: 'addRowAbove', label: '在上面加一行' },
      { change: 'addRow', label: '在下面加一行' },
      { change: 'moveRowUp', label: '上移这一行', keys: 'Alt ↑' },
      { change: 'moveRowDown', label: '下移这一行', keys: 'Alt ↓' },
      { change: 'removeRow', label: '删除这一行' },
    ],
  },
  {
    name: '列',
    items: [
      { change: 'addColumnBefore', label: '在左边加一列' },
      { change: 'addColumn', label: '在右边加一列' },
      { change: 'moveColumnLeft', label: '左移这一列' },
      { change: 'moveColumnRight', label: '右移这一列' },
      { change: 'removeColumn', label: '删除这一列' },
    ],
  },
  {
    name: '对齐',
    items: [
      { change: 'alignLeft', label: '这一列左对齐' },
      { change: 'alignCenter', label: '这一列居中' },
      { change: 'alignRight', label: '这一列右对齐' },
    ],
  },
];

const alignOf: Partial<Record<TableChange, TableInfo['align']>> = {
  alignLeft: 'left',
  alignCenter: 'center',
  alignRight: 'right',
};

const toolClass = `${buttonClass({ variant: 'ghost', size: 'small', square: true })} ${styles.tool}`;

/** Changes the table that contains the cursor. Alt+F10 moves the focus here, Escape back to the text. */
export function TableBar({ view, table }: { view: EditorView; table: TableInfo }) {
  const size = { lines: table.lineCount, columns: table.columns };
  return (
    <Base.Root
      className={`popup ${styles.bar}`}
      aria-label="表格"
      data-context-bar
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        view.focus();
      }}
    >
      {groups.map(({ name, items }) => (
        <Base.Group key={name} className={styles.group} aria-label={name}>
          <span className="ink-3 text-xs" aria-hidden="true">
            {name}
          </span>
          {items.map(({ change, label, keys }) => (
            <Base.Button
              key={change}
              className={toolClass}
              aria-label={label}
              title={keys === undefined ? label : `${label}　${keys}`}
              aria-pressed={change in alignOf ? alignOf[change] === table.align : undefined}
              disabled={!canChangeTable(change, table, size)}
              // The text keeps the focus, and on a phone the keyboard stays open.
              onMouseDown={(event) => event.preventDefault()}
              onClick={({ detail }) => {
                const bar = document.activeElement;
                changeTable(view, change);
                // Pressed by keyboard: more changes may follow.
                if (detail === 0 && bar instanceof HTMLElement) bar.focus();
              }}
            >
              <IconSvg path={tableIconPaths[change]} />
            </Base.Button>
          ))}
        </Base.Group>
      ))}
    </Base.Root>
  );
}
