import { SearchOutlined } from '@ant-design/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Input, Select, type TableProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { callPage, type ListOf, type PagedRoute, type RowOf } from '#admin/lib/paged.ts';
import { type FilterName, PAGE_SIZES, type TableState, useTableState } from '#admin/lib/table-state.ts';
import { useWide } from '#admin/lib/use-wide.ts';
import { ExportButton, saveRows } from './export-button.tsx';
import { Nothing } from './screen.tsx';
import styles from './table-card.module.css';
import { TableCard, type TableCardProps } from './table-card.tsx';

interface Control {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Its name is that of the call's input, and of the address. */
export interface Filter extends FilterName {
  label: string;
  options?: readonly { value: string; label: string }[];
  /** In place of a list to choose from. */
  render?: (control: Control) => ReactNode;
}

export interface DataTableProps<R extends PagedRoute>
  extends Pick<TableCardProps<RowOf<R>>, 'name' | 'columns'> {
  route: R;
  /** Of what: 账号, 用户 … */
  title: string;
  /** What can be searched for; without it there is no search. */
  keyword?: string;
  filters?: readonly Filter[];
  /** The page says what concerns all its rows. */
  actions?: (row: RowOf<R>, page: ListOf<R>) => ReactNode;
  /** What can be done with several rows; makes them selectable. */
  batch?: (rows: RowOf<R>[], clear: () => void) => ReactNode;
  expanded?: (row: RowOf<R>) => ReactNode;
  /** Above the rows, of what the answer says beside them. */
  summary?: (page: ListOf<R>) => ReactNode;
}

/** With a keyword the server counts no further. */
const COUNTED = 1000;

const isFiltered = ({ keyword, filters }: TableState, known: readonly Filter[]): boolean =>
  keyword !== '' || known.some(({ name, initial }) => filters[name] !== initial);

function Tools({
  keyword,
  filters,
  state,
  change,
}: {
  keyword: string | undefined;
  filters: readonly Filter[];
  state: TableState;
  change: (to: Partial<TableState>) => void;
}) {
  const [text, setText] = useState(state.keyword);
  const [shown, setShown] = useState(state.keyword);
  // Back and forward bring another one.
  if (shown !== state.keyword) {
    setShown(state.keyword);
    setText(state.keyword);
  }
  const setFilter = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = state.filters;
    change({ filters: value === undefined ? others : { ...others, [name]: value } });
  };
  const initial = Object.fromEntries(
    filters.flatMap((filter) => (filter.initial === undefined ? [] : [[filter.name, filter.initial]])),
  );
  return (
    <>
      {keyword === undefined ? null : (
        <Input.Search
          className={styles.keyword}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={keyword}
          aria-label={keyword}
          maxLength={50}
          allowClear
          enterButton={<Button icon={<SearchOutlined />} aria-label="搜索" />}
          onSearch={(wanted) => {
            if (wanted.trim() !== state.keyword) change({ keyword: wanted.trim() });
          }}
        />
      )}
      {filters.map(({ name, label, initial, options, render }) => {
        const control: Control = {
          value: state.filters[name],
          onChange: (value) => setFilter(name, value),
        };
        if (render !== undefined) return <span key={name}>{render(control)}</span>;
        return (
          <Select
            key={name}
            className={styles.filter}
            placeholder={label}
            aria-label={label}
            allowClear={initial === undefined}
            options={options?.map((option) => ({ ...option }))}
            {...control}
          />
        );
      })}
      {isFiltered(state, filters) ? (
        <Button type="link" onClick={() => change({ keyword: '', filters: initial })}>
          清除条件
        </Button>
      ) : null}
    </>
  );
}

/** A table over a paged call: search, filters, sorting and page live in the address. */
export function DataTable<R extends PagedRoute>(props: DataTableProps<R>) {
  const { route, title, keyword, filters = [], actions, batch, expanded, summary, ...rest } = props;
  type Row = RowOf<R> & { id: string };
  const { api } = useApp();
  const isWide = useWide();
  const [state, change] = useTableState(filters);
  const [chosen, setChosen] = useState<Row[]>([]);

  const filter = {
    ...state.filters,
    ...(state.keyword !== '' && { keyword: state.keyword }),
    ...(state.sort !== '' && { sort: state.sort, order: state.order }),
  };
  const { data, error, isFetching, refetch } = useQuery({
    ...callPage(api, route, { ...filter, page: state.page, pageSize: state.pageSize }),
    placeholderData: keepPreviousData,
  });

  const onChange: TableProps<Row>['onChange'] = ({ current = 1, pageSize }, _, sorter) => {
    const { column, order } = Array.isArray(sorter) ? { column: undefined, order: undefined } : sorter;
    const field = rest.columns.find((each) => each.key === column?.key)?.sort;
    const sort = order && field !== undefined ? field : '';
    const isSorting = sort !== state.sort || (sort !== '' && (order === 'descend' ? 1 : 0) !== state.order);
    if (isSorting) change({ sort, order: order === 'descend' ? 1 : 0 });
    else change({ page: pageSize === state.pageSize ? current : 1, pageSize: pageSize ?? state.pageSize });
  };

  const total = data?.total ?? 0;
  const isCapped = state.keyword !== '' && total > COUNTED;
  const clear = () => setChosen([]);

  return (
    <TableCard<Row>
      {...(rest as Pick<TableCardProps<Row>, 'name' | 'columns'>)}
      {...(actions !== undefined && data !== undefined && { actions: (row) => actions(row, data) })}
      rows={data?.list as Row[] | undefined}
      busy={isFetching}
      error={error}
      onRefresh={() => void refetch()}
      tools={<Tools keyword={keyword} filters={filters} state={state} change={change} />}
      extra={<ExportButton title={title} route={route} input={filter} columns={rest.columns} />}
      above={
        <>
          {data === undefined ? null : summary?.(data)}
          {chosen.length === 0 ? null : (
            <div className={styles.chosen} role="status">
              <span>已选 {chosen.length} 项</span>
              {batch?.(chosen, clear)}
              <Button size="small" onClick={() => saveRows(title, rest.columns, chosen)}>
                导出所选
              </Button>
              <Button size="small" type="link" onClick={clear}>
                取消选择
              </Button>
            </div>
          )}
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
      sorted={state.sort === '' ? undefined : { field: state.sort, order: state.order }}
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
        ...(batch !== undefined && {
          rowSelection: {
            selectedRowKeys: chosen.map((row) => row.id),
            preserveSelectedRowKeys: true,
            onChange: (_keys: unknown, rows: Row[]) => setChosen(rows),
            getCheckboxProps: (row: Row) => ({ 'aria-label': `选择${rest.columns[0]?.text(row) ?? ''}` }),
            getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
          },
        }),
        ...(expanded !== undefined && {
          expandable: { expandedRowRender: (row: Row) => expanded(row), expandRowByClick: false },
        }),
      }}
    />
  );
}
