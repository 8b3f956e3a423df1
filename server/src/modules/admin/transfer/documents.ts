import { oneOf } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS, ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import {
  declarations,
  type EssayStatus,
  MAX_AUTHOR_PINS,
  MAX_SITE_PINS,
  type RevisionStatus,
} from '@mozhan/contract/essays.ts';
import { infoPageNames } from '@mozhan/contract/page-address.ts';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { MAX_HEAD_LENGTH } from './formats/types.ts';

/** The format of the site's own archives: the schemas of its files, and how they are written and parsed. */
export const FORMAT = 'mozhan-export';
export const VERSION = 1;

const states = ['draft', 'waiting', 'approved', 'published', 'unpublished', 'rejected'] as const;
export const toStateName = (status: EssayStatus): (typeof states)[number] => states[status] ?? 'draft';
export const toStatus = (state: (typeof states)[number]): EssayStatus => states.indexOf(state) as EssayStatus;

const id = z.string().regex(/^[0-9a-f]{32}$/);
const date = z.coerce.date();
const count = z.int().min(0).max(1_000_000_000);

export const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  scope: z.enum(['site', 'author']),
  site: z.string().default(''),
  counts: z.object({ essays: count, comments: count.default(0) }),
});

/** The fields that an author sets, without the text. */
const settings = z.object({
  title: z.string().default(''),
  summary: z.string().default(''),
  cover: z.string().default(''),
  shareCover: z.string().default(''),
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
  scheduledAt: date.nullable().default(null),
});
export type SettingsHead = z.output<typeof settings>;

export const essayHead = settings.extend({
  id,
  slug: z.string().nullable().default(null),
  author: z.string(),
  status: z.enum(states).default('draft'),
  reason: z.string().default(''),
  offByStaff: z.boolean().default(false),
  region: z.string().default(''),
  columnSort: z.int().default(0),
  /** Positions among the pinned essays of the author's and of the site's home page. */
  authorPin: z.int().min(1).max(MAX_AUTHOR_PINS).nullable().default(null),
  sitePin: z.int().min(1).max(MAX_SITE_PINS).nullable().default(null),
  createdAt: date,
  publishedAt: date.nullable().default(null),
  updatedAt: date,
});

/** A newer version of a published essay that is not public yet; stored in `drafts/`. */
export const draftHead = settings.extend({ id, status: z.enum(states).default('draft') });
export const toRevisionStatus = (state: (typeof states)[number]): RevisionStatus =>
  state === 'waiting' ? ESSAY_STATUS.waiting : ESSAY_STATUS.draft;

export const pageHead = z.object({ page: z.enum(infoPageNames), title: z.string() });

/** A page that operators wrote. */
export const ownPageHead = z.object({
  slug: z.string(),
  title: z.string(),
  published: z.boolean().default(false),
  publishedAt: date.nullable().default(null),
  updatedAt: date,
});

/** Categories and pages by their slugs, because ids differ between sites. */
const navEntry = z.object({
  kind: z.enum(['category', 'route', 'page', 'link']),
  target: z.string(),
  label: z.string().default(''),
  enabled: z.boolean().default(true),
});
export type NavEntryRecord = z.output<typeof navEntry>;

export const navigationRecord = z.object({
  header: z.array(navEntry).nullable().default(null),
  footer: z
    .array(z.object({ title: z.string().default(''), entries: z.array(navEntry) }))
    .nullable()
    .default(null),
});

export const friendLinkRecord = z.object({
  name: z.string(),
  url: z.string(),
  description: z.string().default(''),
  logo: z.string().default(''),
  sort: z.int().default(0),
  enabled: z.boolean().default(true),
});

/** An old address, which leads to an essay or to another address. */
export const redirectRecord = z.union([
  z.object({ path: z.string(), essay: id }),
  z.object({ path: z.string(), target: z.string() }),
]);

export const authorRecord = z.object({
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
  createdAt: date,
});
export type AuthorRecord = z.output<typeof authorRecord>;

export const categoryRecord = z.object({
  slug: z.string(),
  name: z.string(),
  icon: z.string().default('code'),
  sort: z.int().default(0),
  enabled: z.boolean().default(true),
});

export const columnRecord = z.object({
  id,
  author: z.string(),
  name: z.string(),
  summary: z.string().default(''),
  cover: z.string().default(''),
  price: z.int().default(0),
  createdAt: date,
});
export type ColumnRecord = z.output<typeof columnRecord>;

/** Limited because thousands are in memory at the same time. */
const short = z.string().max(200);

const { visible, held, removed, deleted } = COMMENT_STATUS;

export const commentRecord = z.object({
  id,
  essay: id,
  root: id.nullable().default(null),
  /** Null for a guest. */
  author: short.nullable().default(null),
  guest: z
    .object({ name: short, site: z.string().max(300).default('') })
    .nullable()
    .default(null),
  replyTo: short.nullable().default(null),
  /** The guest's comment that a reply answers. */
  replyToGuest: id.nullable().default(null),
  mentions: z.array(short).max(100).default([]),
  status: oneOf(visible, held, removed, deleted).default(visible),
  pinned: z.boolean().default(false),
  region: short.default(''),
  content: z.string(),
  createdAt: date,
  editedAt: date.nullable().default(null),
});
export type CommentRecord = z.output<typeof commentRecord>;

/** Writes front matter, an empty line and the unchanged text. */
export const formatDocument = (head: object, content: string): string =>
  `---\n${stringify(head, { lineWidth: 0 })}---\n\n${content}`;

/** Returns null if there is no front matter or it does not match the schema. */
export function parseDocument<S extends z.ZodType>(
  schema: S,
  text: string,
): { head: z.output<S>; content: string } | null {
  const [block, front] = /^---\r?\n([\s\S]*?\n)---\r?\n(?:\r?\n)?/.exec(text) ?? [];
  if (block === undefined || front === undefined || front.length > MAX_HEAD_LENGTH) return null;
  try {
    // The check for duplicate keys takes quadratic time.
    const head = schema.parse(parse(front, { uniqueKeys: false }));
    return { head, content: text.slice(block.length) };
  } catch {
    return null;
  }
}

/** Writes a JSON array with one record per line, so that it can be read line by line. */
export async function* toJsonLines(records: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let separator = '[\n';
  for await (const record of records) {
    yield Buffer.from(separator + JSON.stringify(record));
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

export async function* parseJsonLines<S extends z.ZodType>(
  schema: S,
  lines: AsyncIterable<string>,
): AsyncGenerator<z.output<S> | null> {
  for await (const line of lines) {
    const text = line.trim().replace(/,$/, '');
    if (text === '' || text === '[' || text === ']' || text === '[]') continue;
    yield parseRecord(schema, text);
  }
}

function parseRecord<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const PICTURE = /(?<![\w./-])\/(files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5})/g;
const RELATIVE = /(?<![\w./-])\.\.\/(files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5})/g;

/** Replaces picture URLs of the site by relative paths in the archive, which other programs understand. */
export const toRelativePaths = (text: string): string => text.replace(PICTURE, '../$1');
/** Lists the pictures that a text refers to, by their names in the archive. */
export const listRelativePaths = (text: string): string[] => [
  ...new Set([...text.matchAll(RELATIVE)].flatMap(([, name]) => name ?? [])),
];
export const replaceRelativePaths = (text: string, paths: ReadonlyMap<string, string>): string =>
  text.replace(RELATIVE, (match, name: string) => paths.get(name) ?? match);
