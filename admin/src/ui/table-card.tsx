import { ReloadOutlined, SettingOutlined } from '@ant-design/icons';
import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import { Button, Checkbox, Popover, Skeleton, Table, type TableProps } from 'antd';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useWide } from '#admin/lib/use-wide.ts';
import { IconButton } from './icon-button.tsx';
import { Card, Failed, NotRefreshed } from './screen.tsx';
import styles from './table-card.module.css';
import { Unseen } from './unseen.tsx';
import { type Column, useColumns } from './use-columns.ts';

/** Under the fixed header of the frame. */
const STICKY = { offsetHeader: 56 };

export interface TableCardProps<T> {
  /** Names the remembered choice of columns. */
  name: string;
  columns: readonly Column<T>[];
  /** Undefined until they are there. */
  rows: readonly T[] | undefined;
  busy: boolean;
  error: unknown;
  onRefresh: () => void;
  /** Search and filters. */
  tools?: ReactNode;
  /** Beside the buttons for columns and refresh. */
  extra?: ReactNode;
  /** Between the tools and the table. */
  above?: ReactNode;
  actions?: (row: T) => ReactNode;
  /** Shown in place of rows. */
  empty: ReactNode;
  sorted?: { field: string; order: SortOrder } | undefined;
  table?: Pick<TableProps<T>, 'pagination' | 'rowSelection' | 'expandable' | 'onChange'>;
}

/**
 * What the table leaves to us: the row it measures its columns with is no content, and what scrolls sideways can be
 * scrolled by keys too.
 */
function useMendedTable(frame: RefObject<HTMLElement | null>): void {
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

function ColumnChoice({ choices, choose }: Pick<ReturnType<typeof useColumns>, 'choices' | 'choose'>) {
  const list = (
    <div className={styles.columns}>
      {choices.map(({ key, title, shown }) => (
        <Checkbox key={key} checked={shown} onChange={(event) => choose(key, event.target.checked)}>
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

/** Content of an expanded row, as wide as the window rather than the table. */
export const Unfolded = ({ width, children }: { width?: 'wide'; children: ReactNode }) => (
  <div className={styles.unfolded} data-width={width}>
    {children}
  </div>
);

/** A table with its tools; where the rows come from is not its concern. */
export function TableCard<T extends { id: string }>(props: TableCardProps<T>) {
  const { name, columns, rows, busy, error, onRefresh, tools, extra, above, actions, empty, sorted, table } =
    props;
  const { shown, choices, choose } = useColumns(name, columns);
  const isWide = useWide();
  const frame = useRef<HTMLDivElement>(null);
  useMendedTable(frame);

  const cells: TableProps<T>['columns'] = shown.map((column) => ({
    key: column.key,
    title: column.title,
    width: column.width,
    align: column.align,
    className: column.align === 'end' ? `${styles.cell} ${styles.end}` : styles.cell,
    render: (_, row) => (column.show ?? column.text)(row),
    ...(column.sort !== undefined && {
      sorter: true,
      // Of numbers, people look for the largest.
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
          <ColumnChoice choices={choices} choose={choose} />
          <IconButton label="刷新" icon={<ReloadOutlined spin={refreshing} />} onClick={onRefresh} />
        </div>
      </div>
      {above}
      {rows === undefined && error ? <Failed error={error} onRetry={onRefresh} /> : null}
      {rows !== undefined && error ? <NotRefreshed error={error} /> : null}
      {rows === undefined && !error ? (
        <div role="status" aria-label="正在加载">
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
            expandable={{ columnTitle: <Unseen>详情</Unseen>, ...table?.expandable }}
          />
        </div>
      )}
    </Card>
  );
}
