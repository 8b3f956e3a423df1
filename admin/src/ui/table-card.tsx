import { ReloadOutlined, SettingOutlined } from '@ant-design/icons';
import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import { Button, Checkbox, Popover, Skeleton, Table, type TableProps } from 'antd';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useIsWide } from '#admin/lib/use-wide.ts';
import { IconButton } from './icon-button.tsx';
import { Card, LoadError, RefreshError } from './screen.tsx';
import styles from './table-card.module.css';
import { type Column, useColumns } from './use-columns.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Height of the fixed page header. */
const STICKY = { offsetHeader: 56 };

export interface TableCardProps<T> {
  /** Storage key of the column selection. */
  name: string;
  columns: readonly Column<T>[];
  /** Undefined until loaded. */
  rows: readonly T[] | undefined;
  busy: boolean;
  error: unknown;
  onRefresh: () => void;
  tools?: ReactNode;
  /** Placed next to the buttons for columns and refresh. */
  extra?: ReactNode;
  /** Between the tools and the table. */
  above?: ReactNode;
  actions?: (row: T) => ReactNode;
  empty: ReactNode;
  sorted?: { field: string; order: SortOrder } | undefined;
  table?: Pick<TableProps<T>, 'pagination' | 'rowSelection' | 'expandable' | 'onChange'>;
}

/**
 * Fixes antd's table for assistive technology: hides the row used to measure columns, and makes horizontally
 * scrollable tables focusable for the keyboard.
 */
function useTableAccessibilityFixes(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const mend = () => {
      for (const row of frame.current?.querySelectorAll<HTMLElement>('.ant-table-measure-row') ?? [])
        row.inert = true;
      for (const body of frame.current?.querySelectorAll<HTMLElement>('.ant-table-body') ?? []) {
        if (body.scrollWidth > body.clientWidth) body.tabIndex = 0;
        else body.removeAttribute('tabindex');
      }
    };
    mend();
    addEventListener('resize', mend);
    return () => removeEventListener('resize', mend);
  });
}

function ColumnPicker({ choices, choose }: Pick<ReturnType<typeof useColumns>, 'choices' | 'choose'>) {
  const list = (
    <div className={styles.columns}>
      {choices.map(({ key, title, visible }) => (
        <Checkbox key={key} checked={visible} onChange={(event) => choose(key, event.target.checked)}>
          {title}
        </Checkbox>
      ))}
    </div>
  );
  return (
    <Popover trigger="click" placement="bottomRight" title="显示的列" content={list}>
      <Button type="text" icon={<SettingOutlined />} aria-label="选择显示的列" />
    </Popover>
  );
}

/** Content of an expanded row, limited to the width of the window instead of the table. */
export const ExpandedContent = ({ width, children }: { width?: 'wide'; children: ReactNode }) => (
  <div className={styles.unfolded} data-width={width}>
    {children}
  </div>
);

/** Table with toolbar and states; independent of the data source. */
export function TableCard<T extends { id: string }>(props: TableCardProps<T>) {
  const { name, columns, rows, busy, error, onRefresh, tools, extra, above, actions, empty, sorted, table } =
    props;
  const { visible, choices, choose } = useColumns(name, columns);
  const isWide = useIsWide();
  const frame = useRef<HTMLDivElement>(null);
  useTableAccessibilityFixes(frame);

  const cells: TableProps<T>['columns'] = visible.map((column) => ({
    key: column.key,
    title: column.title,
    width: column.width,
    align: column.align,
    className: column.align === 'end' ? `${styles.cell} ${styles.end}` : styles.cell,
    render: (_, row) => (column.show ?? column.text)(row),
    ...(column.sort !== undefined && {
      sorter: true,
      // Numbers sort in descending order first.
      ...(column.align === 'end' && { sortDirections: ['descend', 'ascend'] as const }),
      sortOrder:
        sorted?.field === column.sort
          ? sorted.order === SORT_ORDER.descending
            ? 'descend'
            : 'ascend'
          : null,
    }),
  }));
  if (actions !== undefined) {
    cells.push({
      key: 'actions',
      title: '操作',
      className: styles.cell,
      ...(isWide && { fixed: 'end' as const }),
      render: (_, row) => actions(row),
    });
  }

  const refreshing = busy && rows !== undefined;
  return (
    <Card>
      <div className={styles.tools}>
        <div className={styles.left}>{tools}</div>
        <div className={styles.right}>
          {extra}
          <ColumnPicker choices={choices} choose={choose} />
          <IconButton label="刷新" icon={<ReloadOutlined spin={refreshing} />} onClick={onRefresh} />
        </div>
      </div>
      {above}
      {rows === undefined && error ? <LoadError error={error} onRetry={onRefresh} /> : null}
      {rows !== undefined && error ? <RefreshError error={error} /> : null}
      {rows === undefined && !error ? (
        <div role="status" aria-label="正在载入">
          <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
        </div>
      ) : null}
      {rows === undefined ? null : (
        <div ref={frame}>
          <Table<T>
            size="medium"
            rowKey="id"
            columns={cells}
            dataSource={rows}
            sticky={STICKY}
            scroll={{ x: 'max-content' }}
            pagination={false}
            className={refreshing ? styles.busy : undefined}
            aria-busy={refreshing}
            locale={{ emptyText: empty }}
            {...table}
            expandable={{ columnTitle: <VisuallyHidden>详情</VisuallyHidden>, ...table?.expandable }}
          />
        </div>
      )}
    </Card>
  );
}
