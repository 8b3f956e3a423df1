import { oneOf } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS, ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { declarations, type EssayStatus, type RevisionStatus } from '@mozhan/contract/essays.ts';
import { infoPageNames } from '@mozhan/contract/site.ts';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { LONGEST_HEAD } from './formats/types.ts';

/** The format of our own archives: what stands in which file, and how it is read again. */
export const FORMAT = 'mozhan-export';
export const VERSION = 1;

const states = ['draft', 'waiting', 'approved', 'published', 'unpublished', 'rejected'] as const;
export const stateOf = (status: EssayStatus): (typeof states)[number] => states[status] ?? 'draft';
export const statusOf = (state: (typeof states)[number]): EssayStatus => states.indexOf(state) as EssayStatus;

const id = z.string().regex(/^[0-9a-f]{32}$/);
const moment = z.coerce.date();
const count = z.int().min(0).max(1_000_000_000);

export const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  scope: z.enum(['site', 'author']),
  site: z.string().default(''),
  counts: z.object({ essays: count, comments: count.default(0) }),
});

/** What an author sets, but the text. */
const settings = z.object({
  title: z.string().default(''),
  summary: z.string().default(''),
  cover: z.string().default(''),
  category: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  price: z.int().default(0),
  memberFree: z.boolean().default(false),
  previewPercent: z.int().default(30),
  allowComment: z.boolean().default(true),
  declaration: z.enum(declarations).default('none'),
  source: z.string().default(''),
  column: z.string().nullable().default(null),
  columnId: id.nullable().default(null),
  attachments: z.array(z.string()).default([]),
  scheduledAt: moment.nullable().default(null),
});
export type SettingsHead = z.output<typeof settings>;

export const essayHead = settings.extend({
  id,
  author: z.string(),
  status: z.enum(states).default('draft'),
  reason: z.string().default(''),
  offByStaff: z.boolean().default(false),
  region: z.string().default(''),
  columnSort: z.int().default(0),
  createdAt: moment,
  publishedAt: moment.nullable().default(null),
  updatedAt: moment,
});

/** What the author wrote since in an essay that readers have: beside it, in `drafts/`. */
export const draftHead = settings.extend({ id, status: z.enum(states).default('draft') });
export const revisionStatusOf = (state: (typeof states)[number]): RevisionStatus =>
  state === 'waiting' ? ESSAY_STATUS.waiting : ESSAY_STATUS.draft;

export const pageHead = z.object({ page: z.enum(infoPageNames), title: z.string() });

export const authorLine = z.object({
  account: z.string(),
  displayName: z.string(),
  identity: oneOf(IDENTITY.reader, IDENTITY.writer).default(IDENTITY.reader),
  headImg: z.string().default(''),
  title: z.string().default(''),
  bio: z.string().default(''),
  city: z.string().default(''),
  company: z.string().default(''),
  position: z.string().default(''),
  homepage: z.string().default(''),
  github: z.string().default(''),
  createdAt: moment,
});
export type AuthorLine = z.output<typeof authorLine>;

export const categoryLine = z.object({
  slug: z.string(),
  name: z.string(),
  icon: z.string().default('code'),
  sort: z.int().default(0),
  enabled: z.boolean().default(true),
});

export const columnLine = z.object({
  id,
  author: z.string(),
  name: z.string(),
  summary: z.string().default(''),
  cover: z.string().default(''),
  price: z.int().default(0),
  createdAt: moment,
});
export type ColumnLine = z.output<typeof columnLine>;

/** Thousands are held at once. */
const short = z.string().max(200);

const { shown, held, removed, deleted } = COMMENT_STATUS;

export const commentLine = z.object({
  id,
  essay: id,
  root: id.nullable().default(null),
  author: short,
  replyTo: short.nullable().default(null),
  mentions: z.array(short).max(100).default([]),
  status: oneOf(shown, held, removed, deleted).default(shown),
  pinned: z.boolean().default(false),
  region: short.default(''),
  content: z.string(),
  createdAt: moment,
  editedAt: moment.nullable().default(null),
});
export type CommentLine = z.output<typeof commentLine>;

/** Front matter, an empty line, and then the text to the letter. */
export const toDocument = (head: object, content: string): string =>
  `---\n${stringify(head, { lineWidth: 0 })}---\n\n${content}`;

/** Null when there is no front matter, or none that can be read as `schema` has it. */
export function readDocument<S extends z.ZodType>(
  schema: S,
  text: string,
): { head: z.output<S>; content: string } | null {
  const [whole, front] = /^---\r?\n([\s\S]*?\n)---\r?\n(?:\r?\n)?/.exec(text) ?? [];
  if (whole === undefined || front === undefined || front.length > LONGEST_HEAD) return null;
  try {
    // Looking for keys that come twice takes the square of their number.
    const head = schema.parse(parse(front, { uniqueKeys: false }));
    return { head, content: text.slice(whole.length) };
  } catch {
    return null;
  }
}

/** A list with each of its records on a line of its own: JSON for everyone, and read line by line by us. */
export async function* toLines(records: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let separator = '[\n';
  for await (const record of records) {
    yield Buffer.from(separator + JSON.stringify(record));
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

export async function* readLines<S extends z.ZodType>(
  schema: S,
  lines: AsyncIterable<string>,
): AsyncGenerator<z.output<S> | null> {
  for await (const line of lines) {
    const text = line.trim().replace(/,$/, '');
    if (text === '' || text === '[' || text === ']' || text === '[]') continue;
    yield readRecord(schema, text);
  }
}

function readRecord<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const PICTURE = /(?<![\w./-])\/(files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5})/g;
const RELATIVE = /(?<![\w./-])\.\.\/(files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5})/g;

/** Pictures of the site by their place in the archive, so that other programs find them too. */
export const toRelative = (text: string): string => text.replace(PICTURE, '../$1');
/** What the text refers to, as names in the archive. */
export const listRelative = (text: string): string[] => [
  ...new Set([...text.matchAll(RELATIVE)].flatMap(([, name]) => name ?? [])),
];
export const fromRelative = (text: string, paths: ReadonlyMap<string, string>): string =>
  text.replace(RELATIVE, (whole, name: string) => paths.get(name) ?? whole);
