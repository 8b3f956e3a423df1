import type { Flag } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { EnabledTag, enabledText } from './enabled-tag.tsx';
import { type Labels, LabelTag, textOf } from './labels.tsx';
import { Line } from './line.tsx';
import { PersonLink } from './person-link.tsx';
import { TimeAgo } from './time.tsx';
import type { Column } from './use-columns.ts';

/** Names of the fields that hold such a value. */
type FieldOf<T, W> = { [K in keyof T]-?: T[K] extends W ? K : never }[keyof T] & string;

interface More {
  /** What the server sorts by; true: the field itself. */
  sort?: string | true;
  hidden?: true;
}

/** A column of one field; `of`: of what is found in a row. */
interface ColumnOf<W> {
  <T>(field: FieldOf<T, W>, title: string, more?: More): Column<T>;
  of: <T>(key: string, title: string, read: (row: T) => W, more?: More) => Column<T>;
}

interface Look<W> {
  text: (value: W) => string;
  show?: (value: W) => ReactNode;
  by?: (value: W) => string | number;
  align?: 'end';
}

function columnOf<W>({ text, show, by, align }: Look<W>): ColumnOf<W> {
  const of: ColumnOf<W>['of'] = (key, title, read, { sort, hidden } = {}) => ({
    key,
    title,
    text: (row) => text(read(row)),
    ...(show && { show: (row) => show(read(row)) }),
    ...(by && { by: (row) => by(read(row)) }),
    ...(align && { align }),
    ...(sort && { sort: sort === true ? key : sort }),
    ...(hidden && { hidden }),
  });
  const ofField = <T,>(field: FieldOf<T, W>, title: string, more?: More) =>
    of(field, title, (row: T) => row[field] as W, more);
  return Object.assign(ofField, { of });
}

type Text = string | readonly string[] | null | undefined;
const toText = (value: Text): string => orDash(Array.isArray(value) ? value.join('、') : (value as string));

/** As it is; nothing is a dash, several are joined. */
export const text = columnOf<Text>({ text: toText });

export const code = columnOf<Text>({ text: toText, show: (value) => <code>{toText(value)}</code> });

/** What may be long, in one line. */
export const line = columnOf<Text>({ text: toText, show: (value) => <Line text={toText(value)} /> });

export const count = columnOf<number>({ text: String, by: (value) => value, align: 'end' });

/** A count that may be large: 12,345. */
export const figure = columnOf<number>({
  text: String,
  show: (value) => value.toLocaleString('zh-CN'),
  by: (value) => value,
  align: 'end',
});

/** Fen, shown in yuan; in a file plain numbers, to be added up. */
export const money = columnOf<number>({ text: toYuan, show: formatYuan, by: (value) => value, align: 'end' });

type Moment = string | null;
const momentText = (at: Moment): string => (at === null ? '-' : formatDateTime(at));

export const time = columnOf<Moment>({ text: momentText });

/** How long ago, exact on hover and in a file. */
export const ago = columnOf<Moment>({
  text: momentText,
  show: (at) => (at === null ? '-' : <TimeAgo at={at} />),
});

type Somebody = UserCard | null;
const nameOf = (user: Somebody): string => orDash(user?.displayName);

/** Somebody, with the way to their home. */
export const person = columnOf<Somebody>({ text: nameOf, show: (user) => <PersonLink user={user} /> });

/** The name alone. */
export const personName = columnOf<Somebody>({ text: nameOf });

/** The tag that a table of labels has for a value. */
export const tag = <T, K extends string | number>(
  field: FieldOf<T, K>,
  title: string,
  labels: Labels<K>,
  more: More = {},
): Column<T> =>
  columnOf<K>({
    text: (value) => textOf(labels, value),
    show: (value) => <LabelTag of={labels} value={value} />,
  })<T>(field, title, more);

/** Whether it is in use, where it cannot be switched at once. */
export const enabledTag = <T extends { enabled: Flag }>(): Column<T> => ({
  key: 'enabled',
  title: '状态',
  text: (row) => enabledText(row.enabled),
  show: (row) => <EnabledTag enabled={row.enabled} />,
});
