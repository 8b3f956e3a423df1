import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, type TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { callPage, type ListOf, type PagedRoute, type RowOf } from '#admin/lib/paged.ts';
import { inputOf, PAGE_SIZES, toSortOrder, useTableState } from '#admin/lib/table-state.ts';
import { useWide } from '#admin/lib/use-wide.ts';
import { ExportButton } from './export-button.tsx';
import { Nothing } from './screen.tsx';
import { TableCard, type TableCardProps } from './table-card.tsx';
import { type Filter, isFiltered, scopeOf, Tools } from './table-tools.tsx';
import { useSelection } from './use-selection.tsx';

export type { Filter } from './table-tools.tsx';

export interface DataTableProps<R extends PagedRoute>
  extends Pick<TableCardProps<RowOf<R>>, 'name' | 'columns'> {
  route: R;
  /** Of what: 账号, 用户 … */
  title: string;
  /** What can be searched for; without it there is no search. */
  keyword?: string;
  keywordMax?: number;
  filters?: readonly Filter[];
  /** The page says what concerns all its rows. */
  actions?: (row: RowOf<R>, page: ListOf<R>) => ReactNode;
  /** What can be done with several rows; makes them selectable. `choose()` lets go of them, `choose(left)` of all others. */
  batch?: (rows: RowOf<R>[], choose: (left?: RowOf<R>[]) => void) => ReactNode;
  expanded?: (row: RowOf<R>) => ReactNode;
  /** Above the rows, of what the answer says beside them. */
  summary?: (page: ListOf<R>) => ReactNode;
}

/** What would take long to count the server counts up to one more than this. */
const COUNTED = 1000;

/** A table over a paged call: search, filters, sorting and page live in the address. */
export function DataTable<R extends PagedRoute>(props: DataTableProps<R>) {
  const {
    route,
    title,
    keyword,
    keywordMax,
    filters = [],
    actions,
    batch,
    expanded,
    summary,
    ...rest
  } = props;
  type Row = RowOf<R> & { id: string };
  const { api } = useApp();
  const isWide = useWide();
  const [state, change] = useTableState(filters);

  // Which columns can be sorted may depend on the filters.
  const isSorted = rest.columns.some((column) => column.sort === state.sort);
  const filter = inputOf(state, isSorted);
  const input = { ...filter, page: state.page, pageSize: state.pageSize };
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...callPage(api, route, input),
    placeholderData: keepPreviousData,
  });

  const onChange: TableProps<Row>['onChange'] = ({ current = 1, pageSize }, _, sorter) => {
    const { column, order } = Array.isArray(sorter) ? { column: undefined, order: undefined } : sorter;
    const field = rest.columns.find((each) => each.key === column?.key)?.sort;
    const sort = order && field !== undefined ? field : '';
    const isSorting = sort !== state.sort || (sort !== '' && toSortOrder(order) !== state.order);
    if (isSorting) change({ sort, order: toSortOrder(order) });
    else change({ page: pageSize === state.pageSize ? current : 1, pageSize: pageSize ?? state.pageSize });
  };

  const total = data?.total ?? 0;
  const isCapped = total === COUNTED + 1;
  const { bar, table } = useSelection<Row>({
    title,
    columns: rest.columns,
    scope: scopeOf(state),
    page: JSON.stringify(input),
    rows: isPlaceholderData ? undefined : (data?.list as Row[] | undefined),
    batch: batch as ((rows: Row[], choose: (left?: Row[]) => void) => ReactNode) | undefined,
  });

  return (
    <TableCard<Row>
      {...(rest as Pick<TableCardProps<Row>, 'name' | 'columns'>)}
      {...(actions !== undefined && data !== undefined && { actions: (row) => actions(row, data) })}
      rows={data?.list as Row[] | undefined}
      busy={isFetching}
      error={error}
      onRefresh={() => void refetch()}
      tools={
        <Tools keyword={keyword} keywordMax={keywordMax} filters={filters} state={state} change={change} />
      }
      extra={<ExportButton title={title} route={route} input={filter} columns={rest.columns} />}
      above={
        <>
          {data === undefined ? null : summary?.(data)}
          {bar}
        </>
      }
      empty={
        state.page > 1 ? (
          <Nothing title="这一页没有内容">
            <Button onClick={() => change({ page: 1 })}>回到第一页</Button>
          </Nothing>
        ) : (
          <Nothing title={isFiltered(state, filters) ? `没有符合条件的${title}` : `还没有${title}`} />
        )
      }
      sorted={isSorted ? { field: state.sort, order: state.order } : undefined}
      table={{
        onChange,
        pagination: {
          current: state.page,
          pageSize: state.pageSize,
          total,
          simple: !isWide,
          showSizeChanger: isWide,
          pageSizeOptions: PAGE_SIZES,
          hideOnSinglePage: false,
          showTotal: (count) => `共 ${isCapped ? `${COUNTED}+` : count} 条`,
        },
        ...table,
        ...(expanded !== undefined && {
          expandable: { expandedRowRender: (row: Row) => expanded(row), expandRowByClick: false },
        }),
      }}
    />
  );
}
