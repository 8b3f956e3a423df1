import type { Client, Permission } from '@mozhan/contract/client.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import type { ReactNode } from 'react';
import type { FieldList } from './fields.tsx';
import type { List } from './lists.ts';
import type { Row, RowAction, SelectRows } from './row-actions.tsx';
import type { Filter } from './table-tools.tsx';
import type { Column } from './use-columns.ts';
import type { FormPanelProps } from './use-form-panel.tsx';

/** The form to create and to edit a row; `row` is undefined while creating. */
export interface EditForm<T, V extends object> {
  title?: (row: T | undefined) => string;
  /** A drawer instead of a dialog, for more than a few fields. */
  drawer?: true;
  values: (row: T | undefined) => V;
  /** May depend on the current values. */
  fields: FieldList<V> | ((values: V, row: T | undefined) => FieldList<V>);
  /** Send only changed fields, so that an edit does not overwrite others' changes. */
  onlyChanges?: true;
  /** Which field an error code belongs to. */
  codes?: FormPanelProps<V>['codes'];
}

/** Input of `update`: fields of the form, the `enabled` switch, or the position. */
export type UpdateInput<V> = Partial<V> & { id: string; enabled?: Flag; sort?: number };

/** Describes a list and what can be done with its rows. `ResourceScreen` renders it; admin/README.md has an example. */
export interface Resource<T extends Row, V extends object, A> {
  /** Key under which the browser remembers the visible columns. */
  name: string;
  /** Chinese noun for a row: 分类, 账号 … */
  noun: string;
  /** Chinese measure word; default: 个. */
  unit?: string;
  /** Name of the list in exported files and in the empty state; default: `noun`. */
  title?: string;
  list: List<T, A>;
  /** Name of a row in labels and messages; default: the text of the first column. */
  nameOf?: (row: T) => string;
  /** `'order'`: buttons that move the row up and down; `'enabled'`: a switch. Both call `update`. */
  columns: readonly (Column<T> | 'order' | 'enabled')[];
  /** Placeholder of the search field; without it the table has no search. */
  keyword?: string;
  /** Longest keyword that the call accepts. */
  keywordMax?: number;
  filters?: readonly Filter<NoInfer<T>>[];

  form?: EditForm<T, V>;
  create?: {
    permission: Permission;
    /** Default: 新建 and the noun. */
    label?: string;
    run: (api: Client, values: V) => Promise<unknown>;
    done?: (values: V) => string;
  };
  /** Also adds bulk actions that enable and disable rows with an `enabled` field. */
  update?: {
    permission: Permission;
    run: (api: Client, change: UpdateInput<V>) => Promise<unknown>;
    /** Asks for confirmation with this text before disabling. */
    disableText?: string;
    /** Success message of the switch; default: 已启用 or 已停用 and the name. */
    switched?: (row: T, enabled: Flag) => string;
  };
  remove?: {
    permission: Permission;
    run: (api: Client, row: T) => Promise<unknown>;
    when?: (row: T) => boolean;
    /** Text of the confirmation; default: it cannot be undone. */
    text?: string | ((row: T) => string);
    /** The same for several rows. */
    bulkText?: string;
  };
  /** Other actions, between 编辑 and 删除. */
  rowActions?: readonly RowAction<T, A>[];

  /** Whether rows can be selected; default: when there are bulk actions. Selected rows can always be exported. */
  bulk?: boolean;
  /** Rows that bulk actions skip, and whose switch is disabled. */
  exempt?: (row: T) => boolean;
  /** Custom buttons before the bulk actions. */
  bulkButtons?: (rows: T[], selectRows: SelectRows<T>) => ReactNode;

  /** Rows among which a row can be moved; default: the full list. */
  siblingsOf?: (row: T, rows: readonly T[]) => readonly T[];
  /** Rows have `children`, which are displayed at first or once the user opens the row. */
  tree?: { isOpenAtFirst: (row: T) => boolean };
  /** Content of the expanded row; null when it cannot expand. */
  expanded?: (row: T) => ReactNode;
  /** Displayed above the rows; rendered from the full response. */
  summary?: (answer: A) => ReactNode;
  /** Before search and filters. */
  lead?: ReactNode;
}

/** Infers the type parameters of a resource that is not passed as props. */
export const defineResource = <T extends Row, V extends object, A>(resource: Resource<T, V, A>) => resource;

export const rowNameOf =
  <T extends Row, V extends object, A>({ nameOf, columns: [first] }: Resource<T, V, A>) =>
  (row: T): string =>
    nameOf?.(row) ?? (typeof first === 'object' ? first.text(row) : '');

export const createLabelOf = <T extends Row, V extends object, A>({ noun, create }: Resource<T, V, A>) =>
  create?.label ?? `新建${noun}`;
