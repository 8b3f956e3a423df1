import type { Flag } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { UserOrGuestCard } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { EnabledTag, enabledText } from './enabled-tag.tsx';
import { type Labels, LabelTag, textOf } from './labels.tsx';
import { PersonLink } from './person-link.tsx';
import { TimeAgo } from './time.tsx';
import { TruncatedText } from './truncated-text.tsx';
import type { Column } from './use-columns.ts';

/** Names of the fields of T whose type is W. */
type FieldOf<T, W> = { [K in keyof T]-?: T[K] extends W ? K : never }[keyof T] & string;

interface ColumnOptions {
  /** Field that the server sorts by; true: the key of the column. */
  sort?: string | true;
  hidden?: true;
}

/** Creates a column from a field or, with `.of`, from a value computed from the row. */
interface ColumnFactory<W> {
  <T>(field: FieldOf<T, W>, title: string, more?: ColumnOptions): Column<T>;
  of: <T>(key: string, title: string, read: (row: T) => W, more?: ColumnOptions) => Column<T>;
}

interface ColumnFormat<W> {
  text: (value: W) => string;
  show?: (value: W) => ReactNode;
  by?: (value: W) => string | number;
  align?: 'end';
}

function createColumn<W>({ text, show, by, align }: ColumnFormat<W>): ColumnFactory<W> {
  const of: ColumnFactory<W>['of'] = (key, title, read, { sort, hidden } = {}) => ({
    key,
    title,
    text: (row) => text(read(row)),
    ...(show && { show: (row) => show(read(row)) }),
    ...(by && { by: (row) => by(read(row)) }),
    ...(align && { align }),
    ...(sort && { sort: sort === true ? key : sort }),
    ...(hidden && { hidden }),
  });
  const ofField = <T,>(field: FieldOf<T, W>, title: string, more?: ColumnOptions) =>
    of(field, title, (row: T) => row[field] as W, more);
  return Object.assign(ofField, { of });
}

type Text = string | readonly string[] | null | undefined;
const toText = (value: Text): string => orDash(Array.isArray(value) ? value.join('、') : (value as string));

/** Plain text: a dash when empty, arrays joined. */
export const text = createColumn<Text>({ text: toText });

export const code = createColumn<Text>({ text: toText, show: (value) => <code>{toText(value)}</code> });

export const line = createColumn<Text>({
  text: toText,
  show: (value) => <TruncatedText text={toText(value)} />,
});

export const count = createColumn<number>({ text: String, by: (value) => value, align: 'end' });

export const figure = createColumn<number>({
  text: String,
  show: (value) => value.toLocaleString('zh-CN'),
  by: (value) => value,
  align: 'end',
});

/** Fen, displayed in yuan; plain numbers in exported files. */
export const money = createColumn<number>({
  text: toYuan,
  show: formatYuan,
  by: (value) => value,
  align: 'end',
});

type MaybeTime = string | null;
const timeText = (at: MaybeTime): string => (at === null ? '-' : formatDateTime(at));

export const time = createColumn<MaybeTime>({ text: timeText });

/** Relative time; exact on hover and in exported files. */
export const ago = createColumn<MaybeTime>({
  text: timeText,
  show: (at) => (at === null ? '-' : <TimeAgo at={at} />),
});

type MaybeUser = UserOrGuestCard | null;
const nameOf = (user: MaybeUser): string => orDash(user?.displayName);

/** A user with avatar, linked to their home page. */
export const person = createColumn<MaybeUser>({ text: nameOf, show: (user) => <PersonLink user={user} /> });

export const personName = createColumn<MaybeUser>({ text: nameOf });

export const tag = <T, K extends string | number>(
  field: FieldOf<T, K>,
  title: string,
  labels: Labels<K>,
  more: ColumnOptions = {},
): Column<T> =>
  createColumn<K>({
    text: (value) => textOf(labels, value),
    show: (value) => <LabelTag of={labels} value={value} />,
  })<T>(field, title, more);

export const enabledTag = <T extends { enabled: Flag }>(): Column<T> => ({
  key: 'enabled',
  title: '状态',
  text: (row) => enabledText(row.enabled),
  show: (row) => <EnabledTag enabled={row.enabled} />,
});
