import type { Client, Permission } from '@mozhan/contract/client.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import type { ReactNode } from 'react';
import type { Act, Choose, Row } from './acts.tsx';
import type { FieldList } from './fields.tsx';
import type { List } from './lists.ts';
import type { Filter } from './table-tools.tsx';
import type { Column } from './use-columns.ts';
import type { FormPanelProps } from './use-form-panel.tsx';

/** The form that makes a row and edits one; `row` is undefined while it makes one. */
export interface EditForm<T, V extends object> {
  title?: (row: T | undefined) => string;
  /** A drawer at the edge of the screen, for more than a few fields. */
  drawer?: true;
  values: (row: T | undefined) => V;
  /** May depend on what is in the form; one that is not needed is false. */
  fields: FieldList<V> | ((values: V, row: T | undefined) => FieldList<V>);
  /** Only what was changed is sent: what somebody else has changed meanwhile stays. */
  onlyChanges?: true;
  /** Refusals that belong to one field. */
  codes?: FormPanelProps<V>['codes'];
}

/** What `update` is asked for: fields of the form, or a switch, or a place in the order. */
export type Change<V> = Partial<V> & { id: string; enabled?: Flag; sort?: number };

/** A list of rows and what can be done with them, as data: `ResourceScreen` makes a screen of it. */
export interface Resource<T extends Row, V extends object, A> {
  /** Names the remembered choice of columns. */
  name: string;
  /** What a row is called: 分类, 账号 … */
  noun: string;
  /** What rows are counted in: 个 unless said otherwise. */
  unit?: string;
  /** What the rows are together, in an exported file and where there are none; the noun unless said otherwise. */
  title?: string;
  list: List<T, A>;
  /** What tells a row from the others; the text of the first column unless said otherwise. */
  nameOf?: (row: T) => string;
  /** `'order'`: buttons to move a row up and down; `'enabled'`: a switch. Both use `update`. */
  columns: readonly (Column<T> | 'order' | 'enabled')[];
  /** What can be searched for; without it there is no search. */
  keyword?: string;
  /** The longest that the call takes. */
  keywordMax?: number;
  filters?: readonly Filter<NoInfer<T>>[];

  form?: EditForm<T, V>;
  create?: {
    permission: Permission;
    /** 新建 and the noun, unless said otherwise. */
    label?: string;
    run: (api: Client, values: V) => Promise<unknown>;
    /** Said afterwards. */
    done?: (values: V) => string;
  };
  /** Rows with `enabled` can be enabled and disabled when they are chosen, too. */
  update?: {
    permission: Permission;
    run: (api: Client, change: Change<V>) => Promise<unknown>;
    /** What disabling does, where it is to be thought over. */
    disableText?: string;
    /** Said when a row was switched, where it is not its name alone. */
    switched?: (row: T, enabled: Flag) => string;
  };
  remove?: {
    permission: Permission;
    run: (api: Client, row: T) => Promise<unknown>;
    when?: (row: T) => boolean;
    /** What becomes of it, where that is not plain. */
    text?: string | ((row: T) => string);
    /** The same of several. */
    bulkText?: string;
  };
  /** What else can be done, between 编辑 and 删除. */
  acts?: readonly Act<T, A>[];

  /** Whether rows can be chosen: to do something with them, unless said otherwise; at least to export them. */
  bulk?: boolean;
  /** Rows that are left out when something is done with the chosen ones. */
  spare?: (row: T) => boolean;
  /** Before the acts of the chosen rows. */
  bulkButtons?: (rows: T[], choose: Choose<T>) => ReactNode;

  /** Those that a row is ordered among, where that is not the whole list. */
  siblingsOf?: (row: T, rows: readonly T[]) => readonly T[];
  /** Rows hold others, which are seen below them. */
  tree?: true;
  /** Unfolds below a row; null: nothing to unfold. */
  expanded?: (row: T) => ReactNode;
  /** Above the rows, of what the answer says beside them. */
  summary?: (answer: A) => ReactNode;
  /** Before search and filters. */
  lead?: ReactNode;
}

/** A resource of its own, where it is not written down as a screen or table. */
export const resourceOf = <T extends Row, V extends object, A>(resource: Resource<T, V, A>) => resource;

export const nameIn =
  <T extends Row, V extends object, A>({ nameOf, columns: [first] }: Resource<T, V, A>) =>
  (row: T): string =>
    nameOf?.(row) ?? (typeof first === 'object' ? first.text(row) : '');

export const createLabelOf = <T extends Row, V extends object, A>({ noun, create }: Resource<T, V, A>) =>
  create?.label ?? `新建${noun}`;
