import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { type ReactNode, useState } from 'react';

export interface Column<T> {
  key: string;
  title: string;
  /** What goes into an exported file; shown too, where `show` does not say better. */
  text: (row: T) => string;
  show?: (row: T) => ReactNode;
  width?: number;
  align?: 'start' | 'end';
  /** The field that the server sorts by. */
  sort?: string;
  /** What a list that comes whole is sorted by, where that is not its text; null: cannot be. */
  by?: ((row: T) => string | number) | null;
  /** Not shown until it is chosen. */
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

/** Which columns of a table are shown, remembered in this browser; the first always is. */
export function useColumns<T>(table: string, columns: readonly Column<T>[]) {
  const name = `admin.columns.${table}`;
  const [hidden, setHidden] = useState(
    () => readHidden(name) ?? columns.filter((column) => column.hidden).map((column) => column.key),
  );
  const [first, ...others] = columns;
  return {
    shown: columns.filter((column) => column === first || !hidden.includes(column.key)),
    choices: others.map(({ key, title }) => ({ key, title, shown: !hidden.includes(key) })),
    choose(key: string, shown: boolean) {
      const next = shown ? hidden.filter((each) => each !== key) : [...hidden, key];
      setHidden(next);
      writeItem(name, JSON.stringify(next));
    },
  };
}
