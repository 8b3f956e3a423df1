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

/** Names of the fields of T whose type is W. */
type FieldOf<T, W> = { [K in keyof T]-?: T[K] extends W ? K : never }[keyof T] & string;

interface More {
  /** Field that the server sorts by; true: the key of the column. */
  sort?: string | true;
  hidden?: true;
}

/** Makes a column of a field, or with `.of` of a value computed from the row. */
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

/** Plain text: a dash when empty, arrays joined. */
export const text = columnOf<Text>({ text: toText });

export const code = columnOf<Text>({ text: toText, show: (value) => <code>{toText(value)}</code> });

/** Long text, cut to one line. */
export const line = columnOf<Text>({ text: toText, show: (value) => <Line text={toText(value)} /> });

export const count = columnOf<number>({ text: String, by: (value) => value, align: 'end' });

/** A number with thousands separators. */
export const figure = columnOf<number>({
  text: String,
  show: (value) => value.toLocaleString('zh-CN'),
  by: (value) => value,
  align: 'end',
});

/** Fen, shown in yuan; plain numbers in exported files. */
export const money = columnOf<number>({ text: toYuan, show: formatYuan, by: (value) => value, align: 'end' });

type Moment = string | null;
const momentText = (at: Moment): string => (at === null ? '-' : formatDateTime(at));

export const time = columnOf<Moment>({ text: momentText });

/** Relative time; exact on hover and in exported files. */
export const ago = columnOf<Moment>({
  text: momentText,
  show: (at) => (at === null ? '-' : <TimeAgo at={at} />),
});

type Somebody = UserCard | null;
const nameOf = (user: Somebody): string => orDash(user?.displayName);

/** A person with avatar, linked to their page on the site. */
export const person = columnOf<Somebody>({ text: nameOf, show: (user) => <PersonLink user={user} /> });

/** A person's name only. */
export const personName = columnOf<Somebody>({ text: nameOf });

/** The tag of a value, from a table of labels. */
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

/** Whether the row is enabled, as a tag. */
export const enabledTag = <T extends { enabled: Flag }>(): Column<T> => ({
  key: 'enabled',
  title: '状态',
  text: (row) => enabledText(row.enabled),
  show: (row) => <EnabledTag enabled={row.enabled} />,
});
