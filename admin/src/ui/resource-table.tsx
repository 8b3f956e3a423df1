import { DownloadOutlined } from '@ant-design/icons';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, type TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { arrange, flatten } from '#admin/lib/arrange.ts';
import type { PagedRoute } from '#admin/lib/paged.ts';
import { call } from '#admin/lib/queries.ts';
import { inputOf, PAGE_SIZES, type TableState, toSortOrder, useTableState } from '#admin/lib/table-state.ts';
import { useWide } from '#admin/lib/use-wide.ts';
import { type Choose, type Row, useActs } from './acts.tsx';
import { ExportButton, saveRows } from './export-button.tsx';
import { IconButton } from './icon-button.tsx';
import type { List } from './lists.ts';
import { nameIn, type Resource } from './resource.ts';
import { actsOf } from './resource-acts.tsx';
import { useRowColumns } from './row-columns.tsx';
import { Nothing } from './screen.tsx';
import styles from './table-card.module.css';
import { TableCard } from './table-card.tsx';
import { type Filter, isFiltered, scopeOf, Tools } from './table-tools.tsx';
import type { Column } from './use-columns.ts';
import { useSelection } from './use-selection.tsx';

/** Where counting is slow, the server stops at one more than this. */
const COUNTED = 1000;

/** Search, filters and sorting of a whole list, done in the browser. */
function arranged<T extends Row>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  filters: readonly Filter<T>[],
  state: TableState,
): T[] {
  const wanted = state.keyword.toLowerCase();
  const sortedBy = columns.find((column) => column.key === state.sort);
  return arrange(rows, {
    test: (row) =>
      (wanted === '' || columns.some((column) => column.text(row).toLowerCase().includes(wanted))) &&
      filters.every(({ name, test }) => {
        const value = state.filters[name];
        return value === undefined || (test?.(row, value) ?? String(row[name as keyof T]) === value);
      }),
    by: sortedBy && (sortedBy.by ?? sortedBy.text),
    order: state.order,
  });
}

/** Whether rows stand in their own order, with all that they stand among. */
const isInOrder = <T extends Row, V extends object, A>(
  { siblingsOf }: Resource<T, V, A>,
  { sort, order, keyword, filters }: TableState,
): boolean =>
  (sort === '' || (sort === 'sort' && order === SORT_ORDER.ascending)) &&
  keyword === '' &&
  (siblingsOf !== undefined || Object.keys(filters).length === 0);

/** Loads the list; a paged one as `state` says. */
function useAnswer<T extends Row, A>(list: List<T, A>, state: TableState, isSorted: boolean) {
  const { api } = useApp();
  const filter = list.isPaged ? inputOf(state, isSorted) : list.input;
  const input = list.isPaged ? { ...filter, page: state.page, pageSize: state.pageSize } : filter;
  const query = useQuery({ ...call(api, list.route, input as never), placeholderData: keepPreviousData });
  return { ...query, data: query.data as A | undefined, filter, page: JSON.stringify(input) };
}

interface ResourceTableProps<T extends Row, V extends object, A> {
  resource: Resource<T, V, A>;
  /** Beside the buttons for export, columns and refresh. */
  extra?: ReactNode;
}

/** The table of a resource. Search, filters, sorting and page are kept in the URL. */
export function Table<T extends Row, V extends object, A>({ resource, extra }: ResourceTableProps<T, V, A>) {
  const {
    list,
    noun,
    title = noun,
    name,
    keyword,
    keywordMax,
    filters = [],
    exempt,
    bulkButtons,
    expanded,
  } = resource;
  const isWide = useWide();
  const [state, change] = useTableState(filters);
  // Which columns the server sorts by may depend on the filters.
  const isKnown = resource.columns.some((column) => typeof column === 'object' && column.sort === state.sort);
  const { data, error, isFetching, isPlaceholderData, refetch, filter, page } = useAnswer(
    list,
    state,
    isKnown,
  );
  const all = data === undefined ? undefined : list.rowsOf(data);

  const named = useRowColumns(resource, all, isInOrder(resource, state));
  const columns = list.isPaged
    ? named
    : named.map((column) => (column.by === null ? column : { ...column, sort: column.key }));
  const rows = all === undefined || list.isPaged ? all : arranged(all, columns, filters, state);
  const lines = flatten(rows ?? []);

  const acts = useActs({ acts: actsOf(resource), nameOf: nameIn(resource), answer: data });
  const { bulk = acts.hasBulkActs || bulkButtons !== undefined } = resource;
  const batch = (chosen: T[], choose: Choose<T>): ReactNode => {
    const meant = exempt === undefined ? chosen : chosen.filter((row) => !exempt(row));
    return (
      <>
        {bulkButtons?.(meant, choose)}
        {acts.bulkButtons(meant, choose)}
      </>
    );
  };
  const { bar, table } = useSelection<T>({
    title,
    columns,
    scope: scopeOf(state),
    ...(list.isPaged ? { page, rows: isPlaceholderData ? undefined : all } : { rows: flatten(all ?? []) }),
    batch: bulk ? batch : undefined,
  });

  const onChange: TableProps<T>['onChange'] = ({ current = 1, pageSize }, _, sorter) => {
    const { columnKey, order } = Array.isArray(sorter) ? {} : sorter;
    const field = columns.find(({ key }) => key === columnKey)?.sort;
    const sort = order && field !== undefined ? field : '';
    const isSorting = sort !== state.sort || (sort !== '' && toSortOrder(order) !== state.order);
    if (isSorting) change({ sort, order: toSortOrder(order) });
    else change({ page: pageSize === state.pageSize ? current : 1, pageSize: pageSize ?? state.pageSize });
  };
  const total = (data as { total?: number } | undefined)?.total ?? 0;

  return (
    <>
      <TableCard<T>
        name={name}
        columns={columns}
        rows={rows}
        busy={isFetching}
        error={error}
        onRefresh={() => void refetch()}
        tools={
          <>
            {resource.lead}
            <Tools
              keyword={keyword}
              keywordMax={keywordMax}
              filters={filters}
              state={state}
              change={change}
            />
          </>
        }
        extra={
          <>
            {extra}
            {list.isPaged ? (
              <ExportButton
                title={title}
                route={list.route as PagedRoute}
                input={filter}
                columns={columns as never}
              />
            ) : (
              <IconButton
                label="导出 CSV"
                icon={<DownloadOutlined />}
                disabled={lines.length === 0}
                onClick={() => saveRows(title, columns, lines)}
              />
            )}
          </>
        }
        above={
          <>
            {data && resource.summary && <div className={styles.summary}>{resource.summary(data)}</div>}
            {bar}
          </>
        }
        {...(acts.hasRowActs && { actions: acts.rowActions })}
        empty={
          list.isPaged && state.page > 1 ? (
            <Nothing title="这一页没有内容">
              <Button onClick={() => change({ page: 1 })}>回到第一页</Button>
            </Nothing>
          ) : (
            <Nothing title={isFiltered(state, filters) ? `没有符合条件的${title}` : `还没有${title}`} />
          )
        }
        sorted={state.sort === '' ? undefined : { field: state.sort, order: state.order }}
        table={{
          onChange,
          ...table,
          ...(list.isPaged && {
            pagination: {
              current: state.page,
              pageSize: state.pageSize,
              total,
              simple: !isWide,
              showSizeChanger: isWide,
              pageSizeOptions: PAGE_SIZES,
              hideOnSinglePage: false,
              showTotal: (count) => `共 ${total === COUNTED + 1 ? `${COUNTED}+` : count} 条`,
            },
          }),
          ...(resource.tree && { expandable: { defaultExpandAllRows: true, indentSize: 20 } }),
          ...(expanded !== undefined && {
            expandable: { expandedRowRender: expanded, rowExpandable: (row: T) => expanded(row) !== null },
          }),
        }}
      />
      {acts.panels}
    </>
  );
}
