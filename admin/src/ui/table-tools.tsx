import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import type { FilterName, TableState } from '#admin/lib/table-state.ts';
import styles from './table-card.module.css';

interface Control {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Its name is that of the call's input, and of the address. */
export interface Filter<T = unknown> extends FilterName {
  label: string;
  options?: readonly { value: string; label: string }[];
  /** In place of a list to choose from. */
  render?: (control: Control) => ReactNode;
  /** For whole lists; default: the row's field of this name equals the value. */
  test?: (row: T, value: string) => boolean;
}

export const isFiltered = ({ keyword, filters }: TableState, known: readonly Filter<never>[]): boolean =>
  keyword !== '' || known.some(({ name, initial }) => filters[name] !== initial);

/** Names what the search and filters pick out. */
export const scopeOf = ({ keyword, filters }: TableState): string => JSON.stringify([keyword, filters]);

interface ToolsProps {
  /** What can be searched for; without it there is no search. */
  keyword: string | undefined;
  /** The longest that the call takes. */
  keywordMax?: number | undefined;
  filters: readonly Filter<never>[];
  state: TableState;
  change: (to: Partial<TableState>) => void;
}

/** Search and filters of a table. */
export function Tools({ keyword, keywordMax = 50, filters, state, change }: ToolsProps) {
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
  // What is in the address for another reason stays.
  const cleared = Object.fromEntries(
    Object.entries(state.filters).filter(([name]) => !filters.some((filter) => filter.name === name)),
  );
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
          maxLength={keywordMax}
          allowClear
          enterButton={<Button icon={<SearchOutlined />} aria-label="搜索" />}
          onSearch={(wanted) => {
            if (wanted.trim() !== state.keyword) change({ keyword: wanted.trim() });
          }}
        />
      )}
      {filters.map(({ name, label, initial, options, render }) => {
        const control: Control = {
          // Everything is chosen too, where it is not what one begins with.
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
      })}
      {isFiltered(state, filters) ? (
        <Button type="link" onClick={() => change({ keyword: '', filters: { ...cleared, ...initial } })}>
          清除条件
        </Button>
      ) : null}
    </>
  );
}
