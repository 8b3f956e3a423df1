import { DownloadOutlined } from '@ant-design/icons';
import type { Flag } from '@mozhan/contract/enums.ts';
import { Button, type TableProps, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { arrange, flatten, type WholeRow } from '#admin/lib/arrange.ts';
import { toSortOrder, useTableState } from '#admin/lib/table-state.ts';
import { enabledOptions } from './enabled-tag.tsx';
import { saveRows } from './export-button.tsx';
import { Nothing } from './screen.tsx';
import { TableCard, type TableCardProps } from './table-card.tsx';
import { type Filter, isFiltered, scopeOf, Tools } from './table-tools.tsx';
import { useSelection } from './use-selection.tsx';

export interface WholeFilter<T> extends Filter {
  test: (row: T, value: string) => boolean;
}

export interface WholeTableProps<T>
  extends Pick<
    TableCardProps<T>,
    'name' | 'columns' | 'rows' | 'busy' | 'error' | 'onRefresh' | 'extra' | 'actions'
  > {
  /** Of what: 分类, 菜单 …; names the exported file too. */
  title: string;
  /** What can be searched for, in the text of all columns; without it there is no search. */
  keyword?: string;
  filters?: readonly WholeFilter<T>[];
  /** Names in the address that say which list this is; they stay when the table changes. */
  place?: readonly string[];
  /** Before search and filters. */
  lead?: ReactNode;
  /** What can be done with several rows; makes them selectable. `choose()` lets go of them, `choose(left)` of all others. */
  batch?: (rows: T[], choose: (left?: T[]) => void) => ReactNode;
  expandable?: TableProps<T>['expandable'];
}

/** By whether they are in use. */
export const enabledFilter = <T extends { enabled: Flag }>(): WholeFilter<T> => ({
  name: 'enabled',
  label: '状态',
  options: enabledOptions,
  test: (row, value) => String(row.enabled) === value,
});

/**
 * A table over a list that comes whole: what `DataTable` does by asking the server is done here. All columns can be
 * sorted by their text, or by what `by` says; `by: null` cannot.
 */
export function WholeTable<T extends WholeRow>(props: WholeTableProps<T>) {
  const { title, columns, rows, keyword, filters = [], place = [], lead, batch, expandable, ...rest } = props;
  const [state, change] = useTableState([...filters, ...place.map((name) => ({ name }))]);

  const wanted = state.keyword.toLowerCase();
  const test = (row: T): boolean =>
    (wanted === '' || columns.some((column) => column.text(row).toLowerCase().includes(wanted))) &&
    filters.every(({ name, test }) => {
      const value = state.filters[name];
      return value === undefined || test(row, value);
    });
  const sortedBy = columns.find((column) => column.key === state.sort);
  const by = sortedBy === undefined ? undefined : (sortedBy.by ?? sortedBy.text);
  const shown = rows === undefined ? undefined : arrange(rows, { test, by, order: state.order });
  const lines = flatten(shown ?? []);
  const { bar, table } = useSelection({
    title,
    columns,
    scope: scopeOf(state),
    rows: flatten(rows ?? []),
    batch,
  });

  const onChange: TableProps<T>['onChange'] = (_pages, _filters, sorter) => {
    const { columnKey, order } = Array.isArray(sorter) ? {} : sorter;
    change(order ? { sort: String(columnKey), order: toSortOrder(order) } : { sort: '' });
  };

  return (
    <TableCard<T>
      {...rest}
      columns={columns.map((column) => (column.by === null ? column : { ...column, sort: column.key }))}
      rows={shown}
      tools={
        <>
          {lead}
          <Tools keyword={keyword} filters={filters} state={state} change={change} />
        </>
      }
      extra={
        <>
          {rest.extra}
          <Tooltip title="导出 CSV">
            <Button
              type="text"
              icon={<DownloadOutlined />}
              aria-label="导出 CSV"
              disabled={lines.length === 0}
              onClick={() => saveRows(title, columns, lines)}
            />
          </Tooltip>
        </>
      }
      above={bar}
      empty={<Nothing title={isFiltered(state, filters) ? `没有符合条件的${title}` : `还没有${title}`} />}
      sorted={sortedBy === undefined ? undefined : { field: state.sort, order: state.order }}
      table={{ onChange, ...table, ...(expandable !== undefined && { expandable }) }}
    />
  );
}
