import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import type { FilterParameter, TableState } from '#admin/lib/table-state.ts';
import styles from './table-card.module.css';

interface FilterControl {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** `name` is both the input field of the call and the query parameter. */
export interface Filter<T = unknown> extends FilterParameter {
  label: string;
  options?: readonly { value: string; label: string }[];
  /** Custom control instead of a select. */
  render?: (control: FilterControl) => ReactNode;
  /** The upper end of a range; stays on the line of the filter before it. */
  isRangeEnd?: true;
  /** For unpaged lists; default: compares the field of this name. */
  test?: (row: T, value: string) => boolean;
}

export const isFiltered = ({ keyword, filters }: TableState, known: readonly Filter<never>[]): boolean =>
  keyword !== '' || known.some(({ name, initial }) => filters[name] !== initial);

/** Key that identifies the current search and filters. */
export const filterScope = ({ keyword, filters }: TableState): string => JSON.stringify([keyword, filters]);

/** Joins the two filters of a range. */
function toRanges(filters: readonly Filter<never>[]): Filter<never>[][] {
  const ranges: Filter<never>[][] = [];
  for (const filter of filters) {
    if (filter.isRangeEnd) ranges.at(-1)?.push(filter);
    else ranges.push([filter]);
  }
  return ranges;
}

interface TableToolsProps {
  /** Placeholder of the search field; without it there is no search. */
  keyword: string | undefined;
  keywordMax?: number | undefined;
  filters: readonly Filter<never>[];
  state: TableState;
  change: (to: Partial<TableState>) => void;
}

export function TableTools({ keyword, keywordMax = 50, filters, state, change }: TableToolsProps) {
  const [text, setText] = useState(state.keyword);
  const [lastKeyword, setLastKeyword] = useState(state.keyword);
  // Back and Forward change the keyword in the URL.
  if (lastKeyword !== state.keyword) {
    setLastKeyword(state.keyword);
    setText(state.keyword);
  }
  const setFilter = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = state.filters;
    change({ filters: value === undefined ? others : { ...others, [name]: value } });
  };
  // Keeps unrelated query parameters.
  const cleared = Object.fromEntries(
    Object.entries(state.filters).filter(([name]) => !filters.some((filter) => filter.name === name)),
  );
  const initial = Object.fromEntries(
    filters.flatMap((filter) => (filter.initial === undefined ? [] : [[filter.name, filter.initial]])),
  );
  const renderFilter = ({ name, label, initial, options, render }: Filter<never>) => {
    const control: FilterControl = {
      // With an initial value, '' means that the user selected "all".
      value: state.filters[name] ?? (initial === undefined ? undefined : ''),
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
  };
  return (
    <>
      {keyword === undefined ? null : (
        <Input.Search
          className={styles.keyword}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={keyword}
          aria-label={keyword}
          maxLength={keywordMax}
          allowClear
          enterButton={<Button icon={<SearchOutlined />} aria-label="搜索" />}
          onSearch={(typed) => {
            if (typed.trim() !== state.keyword) change({ keyword: typed.trim() });
          }}
        />
      )}
      {toRanges(filters).map((range) =>
        range.length === 1 ? (
          range.map(renderFilter)
        ) : (
          <span key={range[0]?.name} className={styles.range}>
            {range.map(renderFilter)}
          </span>
        ),
      )}
      {isFiltered(state, filters) ? (
        <Button type="link" onClick={() => change({ keyword: '', filters: { ...cleared, ...initial } })}>
          清除条件
        </Button>
      ) : null}
    </>
  );
}
