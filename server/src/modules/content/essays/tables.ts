import type { CommentStatus } from '@mozhan/contract/comments.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Declaration, EssayFields, EssayStatus, RevisionStatus } from '@mozhan/contract/essays.ts';
import type { HighlightColor } from '@mozhan/contract/highlight-colors.ts';
import {
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';
import type { TocEntry } from '../../platform/text/index.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const count = (name: string) => integer(name).notNull().default(0);

export const columns = pgTable('columns', {
  id: uuid().primaryKey(),
  authorId: uuid('author_id').notNull(),
  name: text().notNull(),
  summary: text().notNull().default(''),
  cover: text().notNull().default(''),
  price: integer().notNull().default(0),
  essayCount: count('essay_count'),
  followerCount: count('follower_count'),
  createdAt: time('created_at').notNull(),
});
export type ColumnRow = typeof columns.$inferSelect;

/** Which user follows which column. */
export const columnFollows = pgTable(
  'column_follows',
  {
    userId: uuid('user_id').notNull(),
    columnId: uuid('column_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.columnId] })],
);

export const essays = pgTable('essays', {
  id: uuid().primaryKey(),
  slug: text(),
  authorId: uuid('author_id').notNull(),
  status: smallint().$type<EssayStatus>().notNull().default(ESSAY_STATUS.draft),
  revisionStatus: smallint('revision_status').$type<RevisionStatus>(),
  version: integer().notNull().default(1),
  submittedVersion: integer('submitted_version'),
  shelvedVersion: integer('shelved_version'),
  title: text().notNull().default(''),
  /** Offsets between the words of the title; set when the essay is put on the shelf. */
  titleBreaks: smallint('title_breaks').array().notNull().default([]),
  summary: text().notNull().default(''),
  cover: text().notNull().default(''),
  shareCover: text('share_cover').notNull().default(''),
  categoryId: uuid('category_id'),
  tags: text().array().notNull().default([]),
  price: integer().notNull().default(0),
  memberFree: boolean('member_free').notNull().default(false),
  previewPercent: smallint('preview_percent').notNull().default(30),
  allowComment: boolean('allow_comment').notNull().default(true),
  declaration: text().$type<Declaration>().notNull().default('none'),
  source: text().notNull().default(''),
  columnId: uuid('column_id'),
  columnSort: integer('column_sort').notNull().default(0),
  attachments: text().array().notNull().default([]),
  wordCount: count('word_count'),
  readMinutes: count('read_minutes'),
  region: text().notNull().default(''),
  offByStaff: boolean('off_by_staff').notNull().default(false),
  scheduledAt: time('scheduled_at'),
  submittedAt: time('submitted_at'),
  publishedAt: time('published_at'),
  updatedAt: time('updated_at').notNull(),
  savedAt: time('saved_at').notNull(),
  createdAt: time('created_at').notNull(),
  deletedAt: time('deleted_at'),
  readCount: count('read_count'),
  likeCount: count('like_count'),
  cmtCount: count('cmt_count'),
  collectCount: count('collect_count'),
  shareCount: count('share_count'),
  downloadCount: count('download_count'),
  rewardCount: count('reward_count'),
  /** Positions among the pinned essays of the author's and of the site's home page. */
  authorPin: smallint('author_pin'),
  sitePin: smallint('site_pin'),
  hotScore: doublePrecision('hot_score').notNull().default(0),
  /** Engagement of the last days, which the job `rank-essays` reduces when a day is over. */
  recentEngagement: count('recent_engagement'),
});
export type EssayRow = typeof essays.$inferSelect;

/** The fields that an author sets, without the text. */
export type EssaySettings = Omit<EssayFields, 'content'>;

/** Versions that were saved before a field existed have its default. */
const settings = customType<{ data: EssaySettings; driverData: Partial<EssaySettings> | string }>({
  dataType: () => 'jsonb',
  fromDriver: (stored) => Object.assign({ shareCover: '' }, stored as EssaySettings),
  toDriver: (given) => JSON.stringify(given),
});

export const essayRevisions = pgTable(
  'essay_revisions',
  {
    essayId: uuid('essay_id').notNull(),
    version: integer().notNull(),
    auto: boolean().notNull(),
    name: text(),
    /** How many autosaves this version replaced. */
    merged: count('merged'),
    title: text().notNull(),
    characters: integer().notNull(),
    wordCount: integer('word_count'),
    fields: settings().notNull(),
    content: text().notNull(),
    /** The staff member who saved the version for the author. */
    editorId: uuid('editor_id'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.essayId, table.version] })],
);
export type RevisionRow = typeof essayRevisions.$inferSelect;

export const essayTexts = pgTable(
  'essay_texts',
  {
    essayId: uuid('essay_id').notNull(),
    version: integer().notNull(),
    title: text().notNull(),
    html: text().notNull(),
    toc: jsonb().$type<TocEntry[]>().notNull(),
    text: text().notNull(),
    summary: text().notNull(),
    wordCount: integer('word_count').notNull(),
    readMinutes: integer('read_minutes').notNull(),
    hasMath: boolean('has_math').notNull(),
    hasDiagrams: boolean('has_diagrams').notNull(),
    words: text().array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.essayId, table.version] })],
);
export type EssayTextRow = typeof essayTexts.$inferSelect;

export const essayLockedTexts = pgTable(
  'essay_locked_texts',
  {
    essayId: uuid('essay_id').notNull(),
    version: integer().notNull(),
    html: text().notNull(),
    toc: jsonb().$type<TocEntry[]>().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.essayId, table.version] })],
);

/** What a browser drew from a diagram of a submitted version. Rows never change, so the auditor sees what readers get. */
export const essayDrawings = pgTable('essay_drawings', {
  /** Random, because whoever knows it can load the drawing; also of the locked part of an essay. */
  id: uuid().primaryKey(),
  essayId: uuid('essay_id').notNull(),
  version: integer().notNull(),
  /** SHA-256 of the diagram's source in hex. */
  sourceHash: text('source_hash').notNull(),
  light: text().notNull(),
  dark: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  /** The text of the drawing. */
  text: text().notNull(),
});
export type EssayDrawingRow = typeof essayDrawings.$inferSelect;

export const essayRecords = pgTable('essay_records', {
  id: uuid().primaryKey(),
  essayId: uuid('essay_id').notNull(),
  userId: uuid('user_id'),
  version: integer().notNull(),
  fromStatus: smallint('from_status').$type<EssayStatus>(),
  toStatus: smallint('to_status').$type<EssayStatus>().notNull(),
  revision: boolean().notNull(),
  appeal: boolean().notNull().default(false),
  reason: text().notNull().default(''),
  createdAt: time('created_at').notNull(),
});
export type EssayRecordRow = typeof essayRecords.$inferSelect;

export const essayTags = pgTable(
  'essay_tags',
  {
    tag: text().notNull(),
    publishedAt: time('published_at').notNull(),
    essayId: uuid('essay_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tag, table.publishedAt, table.essayId] })],
);

export const tags = pgTable('tags', {
  name: text().primaryKey(),
  id: uuid().notNull(),
  essayCount: count('essay_count'),
});

export const tagFollows = pgTable(
  'tag_follows',
  {
    userId: uuid('user_id').notNull(),
    tagId: uuid('tag_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.tagId] })],
);

/** When a user last opened the list of followed authors. */
export const followingVisits = pgTable('following_visits', {
  userId: uuid('user_id').primaryKey(),
  visitedAt: time('visited_at').notNull(),
});

export const tagAliases = pgTable('tag_aliases', {
  name: text().primaryKey(),
  /** Null when the tag is removed instead of renamed. */
  toName: text('to_name'),
  pending: boolean().notNull(),
  position: uuid().notNull(),
  createdAt: time('created_at').notNull(),
});
export type TagAliasRow = typeof tagAliases.$inferSelect;

export const essayCounts = pgTable('essay_counts', {
  key: text().primaryKey(),
  count: integer().notNull(),
});

export const essayReads = pgTable(
  'essay_reads',
  {
    day: date().notNull(),
    essayId: uuid('essay_id').notNull(),
    reader: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.essayId, table.reader] })],
);

export const essayHistory = pgTable(
  'essay_history',
  {
    userId: uuid('user_id').notNull(),
    essayId: uuid('essay_id').notNull(),
    progress: smallint().notNull().default(0),
    readAt: time('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.essayId] })],
);

/** A row allows a user to read an essay or column that they bought. */
export const purchases = pgTable(
  'purchases',
  {
    userId: uuid('user_id').notNull(),
    targetId: uuid('target_id').notNull(),
    kind: text().$type<'essay' | 'column'>().notNull(),
    orderId: uuid('order_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.targetId] })],
);

export const folders = pgTable('folders', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  isPublic: boolean('is_public').notNull(),
  isDefault: boolean('is_default').notNull(),
  essayCount: integer('essay_count').notNull().default(0),
  createdAt: time('created_at').notNull(),
});
export type FolderRow = typeof folders.$inferSelect;

export const collections = pgTable(
  'collections',
  {
    userId: uuid('user_id').notNull(),
    essayId: uuid('essay_id').notNull(),
    id: uuid().notNull(),
    folderId: uuid('folder_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.essayId] })],
);

export const essayLikes = pgTable(
  'essay_likes',
  {
    userId: uuid('user_id').notNull(),
    essayId: uuid('essay_id').notNull(),
    id: uuid().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.essayId] })],
);

export const highlights = pgTable('highlights', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  essayId: uuid('essay_id').notNull(),
  color: text().$type<HighlightColor>().notNull(),
  /** The words when they were highlighted, which only the reader sees. */
  quote: text().notNull(),
  /** The words in the current text. */
  exact: text().notNull(),
  prefix: text().notNull(),
  suffix: text().notNull(),
  startAt: integer('start_at').notNull(),
  endAt: integer('end_at').notNull(),
  state: text({ enum: ['found', 'moved', 'orphaned'] })
    .notNull()
    .default('found'),
  /** Only those who may read the full text may see the words. */
  locked: boolean().notNull(),
  note: text().notNull().default(''),
  /** The comment that makes the thought public. */
  commentId: uuid('comment_id'),
  thoughtStatus: smallint('thought_status').$type<CommentStatus>(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type HighlightRow = typeof highlights.$inferSelect;

/** How many passages a reader highlighted in an essay. */
export const highlightedEssays = pgTable(
  'highlighted_essays',
  {
    userId: uuid('user_id').notNull(),
    essayId: uuid('essay_id').notNull(),
    count: integer().notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.essayId] })],
);

export interface StoredPassage {
  start: number;
  end: number;
  /** The first characters, by which a browser checks that it shows the same text. */
  opening: string;
  readers: number;
  thoughts: number;
  locked: boolean;
}

/** What readers of an essay highlighted together. */
export const highlightPassages = pgTable('highlight_passages', {
  essayId: uuid('essay_id').primaryKey(),
  passages: jsonb().$type<StoredPassage[]>().notNull().default([]),
  /** The text has changed, and the positions of the highlights are not computed yet. */
  isStale: boolean('is_stale').notNull().default(false),
  /** A job is queued that computes positions and passages. */
  isQueued: boolean('is_queued').notNull().default(false),
});

/** A run that indexes all essays again. */
export const reindexRuns = pgTable('reindex_runs', {
  id: uuid().primaryKey(),
  state: text({ enum: ['running', 'done', 'cancelled'] }).notNull(),
  /** Version of the search terms at its start. */
  termVersion: uuid('term_version').notNull(),
  /** The last essay that was indexed. */
  position: uuid().notNull(),
  done: count('done'),
  total: integer().notNull(),
  startedBy: uuid('started_by'),
  createdAt: time('created_at').notNull(),
  finishedAt: time('finished_at'),
});
export type ReindexRunRow = typeof reindexRuns.$inferSelect;

/** Essays to index again, because their author was renamed. */
export const unindexedEssays = pgTable('unindexed_essays', { essayId: uuid('essay_id').primaryKey() });

export const essayDays = pgTable(
  'essay_days',
  {
    essayId: uuid('essay_id').notNull(),
    day: date({ mode: 'string' }).notNull(),
    reads: count('reads'),
    likes: count('likes'),
    cmts: count('cmts'),
    collects: count('collects'),
    shares: count('shares'),
    downloads: count('downloads'),
    rewards: count('rewards'),
  },
  (table) => [primaryKey({ columns: [table.essayId, table.day] })],
);
