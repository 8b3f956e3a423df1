import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { type ReactNode, useState } from 'react';

export interface Column<T> {
  key: string;
  title: string;
  /** Text for exported files, and for the cell when there is no `show`. */
  text: (row: T) => string;
  show?: (row: T) => ReactNode;
  width?: number;
  align?: 'start' | 'end';
  /** Field that the server sorts by. */
  sort?: string;
  /** Sort key for unpaged lists; default: the text; null disables sorting. */
  by?: ((row: T) => string | number) | null;
  /** Hidden by default. */
  hidden?: true;
}

function readHidden(name: string): string[] | null {
  try {
    const keys: unknown = JSON.parse(readItem(name) ?? 'null');
    return Array.isArray(keys) ? keys.map(String) : null;
  } catch {
    return null;
  }
}

/** Visible columns of a table, stored in this browser; the first is always visible. */
export function useColumns<T>(table: string, columns: readonly Column<T>[]) {
  const name = `admin.columns.${table}`;
  const [hidden, setHidden] = useState(
    () => readHidden(name) ?? columns.filter((column) => column.hidden).map((column) => column.key),
  );
  const [first, ...others] = columns;
  return {
    visible: columns.filter((column) => column === first || !hidden.includes(column.key)),
    choices: others.map(({ key, title }) => ({ key, title, visible: !hidden.includes(key) })),
    choose(key: string, visible: boolean) {
      const next = visible ? hidden.filter((each) => each !== key) : [...hidden, key];
      setHidden(next);
      writeItem(name, JSON.stringify(next));
    },
  };
}
