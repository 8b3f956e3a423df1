import { DownloadOutlined } from '@ant-design/icons';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, type TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { filterAndSort, flatten } from '#admin/lib/filter-and-sort.ts';
import type { PagedRoute } from '#admin/lib/paged.ts';
import { call } from '#admin/lib/queries.ts';
import {
  PAGE_SIZES,
  type TableState,
  toCallInput,
  toSortOrder,
  useTableState,
} from '#admin/lib/table-state.ts';
import { useIsWide } from '#admin/lib/use-wide.ts';
import { ExportButton, saveAsCsv } from './export-button.tsx';
import { IconButton } from './icon-button.tsx';
import type { List } from './lists.ts';
import { useOpenRows } from './open-rows.ts';
import { type Resource, rowNameOf } from './resource.ts';
import { resourceActions } from './resource-actions.tsx';
import { type Row, type SelectRows, useRowActions } from './row-actions.tsx';
import { useRowColumns } from './row-columns.tsx';
import { EmptyState } from './screen.tsx';
import styles from './table-card.module.css';
import { TableCard } from './table-card.tsx';
import { type Filter, filterScope, isFiltered, TableTools } from './table-tools.tsx';
import type { Column } from './use-columns.ts';
import { useSelection } from './use-selection.tsx';

/** The server stops counting at one more than this. */
const MAX_EXACT_COUNT = 1000;

/** Applies search, filters and sorting to an unpaged list in the browser. */
function filterRows<T extends Row>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  filters: readonly Filter<T>[],
  state: TableState,
): T[] {
  const keywordLowerCase = state.keyword.toLowerCase();
  const sortedBy = columns.find((column) => column.key === state.sort);
  return filterAndSort(rows, {
    test: (row) =>
      (keywordLowerCase === '' ||
        columns.some((column) => column.text(row).toLowerCase().includes(keywordLowerCase))) &&
      filters.every(({ name, test }) => {
        const value = state.filters[name];
        return value === undefined || (test?.(row, value) ?? String(row[name as keyof T]) === value);
      }),
    by: sortedBy && (sortedBy.by ?? sortedBy.text),
    order: state.order,
  });
}

/** Whether rows are in their stored order and complete, so that they can be moved. */
const isInOrder = <T extends Row, V extends object, A>(
  { siblingsOf }: Resource<T, V, A>,
  { sort, order, keyword, filters }: TableState,
): boolean =>
  (sort === '' || (sort === 'sort' && order === SORT_ORDER.ascending)) &&
  keyword === '' &&
  (siblingsOf !== undefined || Object.keys(filters).length === 0);

/** Loads the list; for a paged list, only the page in `state`. */
function useListQuery<T extends Row, A>(list: List<T, A>, state: TableState, isSorted: boolean) {
  const { api } = useApp();
  const filter = list.isPaged ? { ...list.input, ...toCallInput(state, isSorted) } : list.input;
  const input = list.isPaged ? { ...filter, page: state.page, pageSize: state.pageSize } : filter;
  const query = useQuery({ ...call(api, list.route, input as never), placeholderData: keepPreviousData });
  return { ...query, data: query.data as A | undefined, filter, page: JSON.stringify(input) };
}

interface ResourceTableProps<T extends Row, V extends object, A> {
  resource: Resource<T, V, A>;
  /** Placed next to the buttons for export, columns and refresh. */
  extra?: ReactNode;
}

/** The table of a resource. Search, filters, sorting and page are stored in the URL. */
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
  const isWide = useIsWide();
  const [state, change] = useTableState(filters);
  // Which columns the server sorts by may depend on the filters.
  const isKnown = resource.columns.some((column) => typeof column === 'object' && column.sort === state.sort);
  const { data, error, isFetching, isPlaceholderData, refetch, filter, page } = useListQuery(
    list,
    state,
    isKnown,
  );
  const all = data === undefined ? undefined : list.rowsOf(data);

  const named = useRowColumns(resource, all, isInOrder(resource, state));
  const columns = list.isPaged
    ? named
    : named.map((column) => (column.by === null ? column : { ...column, sort: column.key }));
  const rows = all === undefined || list.isPaged ? all : filterRows(all, columns, filters, state);
  const lines = flatten(rows ?? []);

  const openRows = useOpenRows({
    rows: resource.tree && all,
    isOpenAtFirst: resource.tree?.isOpenAtFirst ?? (() => false),
    search: isFiltered(state, filters) ? filterScope(state) : '',
  });

  const actions = useRowActions({
    actions: resourceActions(resource),
    nameOf: rowNameOf(resource),
    answer: data,
  });
  const { bulk = actions.hasBulkActions || bulkButtons !== undefined } = resource;
  const batch = (selectedRows: T[], selectRows: SelectRows<T>): ReactNode => {
    const applicable = exempt === undefined ? selectedRows : selectedRows.filter((row) => !exempt(row));
    return (
      <>
        {bulkButtons?.(applicable, selectRows)}
        {actions.bulkButtons(applicable, selectRows)}
      </>
    );
  };
  const { bar, table } = useSelection<T>({
    title,
    columns,
    scope: filterScope(state),
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
            <TableTools
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
                onClick={() => saveAsCsv(title, columns, lines)}
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
        {...(actions.hasRowActions && { actions: actions.renderActions })}
        empty={
          list.isPaged && state.page > 1 ? (
            <EmptyState title="这一页没有内容">
              <Button onClick={() => change({ page: 1 })}>回到第一页</Button>
            </EmptyState>
          ) : (
            <EmptyState title={isFiltered(state, filters) ? `没有符合条件的${title}` : `还没有${title}`} />
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
              showTotal: (count) => `共 ${total === MAX_EXACT_COUNT + 1 ? `${MAX_EXACT_COUNT}+` : count} 条`,
            },
          }),
          ...(resource.tree && { expandable: openRows }),
          ...(expanded !== undefined && {
            expandable: { expandedRowRender: expanded, rowExpandable: (row: T) => expanded(row) !== null },
          }),
        }}
      />
      {actions.panels}
    </>
  );
}
