import type { CheckResult, ImportMapping } from '@mozhan/contract/import-checks.ts';
import type {
  PictureStatus,
  RemoteFileKind,
  Transfer,
  TransferFormat,
  TransferItemKind,
  TransferOutcome,
  TransferStatus,
} from '@mozhan/contract/transfer.ts';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';
import type { ImportedContent, Withdrawn } from '../../content/essays/index.ts';
import type { PageContent } from '../../content/site/index.ts';

export interface ImportOptions {
  categoryId?: string;
  asDrafts?: boolean;
  fetchPictures?: boolean;
}

export const transfers = pgTable('transfers', {
  id: uuid().primaryKey(),
  kind: text().$type<Transfer['kind']>().notNull(),
  scope: text().$type<Transfer['scope']>().notNull(),
  format: text().$type<TransferFormat>().notNull(),
  status: text().$type<TransferStatus>().notNull(),
  authorId: uuid('author_id'),
  userId: uuid('user_id'),
  own: boolean().notNull().default(false),
  options: jsonb().$type<ImportOptions>().notNull().default({}),
  total: integer().notNull().default(0),
  done: integer().notNull().default(0),
  message: text().notNull().default(''),
  report: jsonb().$type<Transfer['report']>().notNull().default([]),
  filePath: text('file_path'),
  fileName: text('file_name').notNull().default(''),
  fileBytes: bigintNumber('file_bytes').notNull().default(0),
  runner: uuid(),
  aliveAt: time('alive_at'),
  failures: integer().notNull().default(0),
  picturesTotal: integer('pictures_total').notNull().default(0),
  picturesDone: integer('pictures_done').notNull().default(0),
  picturesFailed: integer('pictures_failed').notNull().default(0),
  createdAt: time('created_at').notNull(),
  endedAt: time('ended_at'),
});
export type TransferRow = typeof transfers.$inferSelect;

/** What an import will do, found out before it starts. */
export const importChecks = pgTable('import_checks', {
  transferId: uuid('transfer_id').primaryKey(),
  /** Identifies the old site. */
  site: text().notNull(),
  result: jsonb().$type<CheckResult>().notNull(),
  /** Proposed before the start, used afterwards. */
  mapping: jsonb().$type<ImportMapping>().notNull(),
  /** The proposed mapping comes from an earlier import of the site. */
  repeated: boolean().notNull(),
  started: boolean().notNull().default(false),
});
export type CheckRow = typeof importChecks.$inferSelect;

export interface ItemDetail {
  /** The imported version of an essay; a higher one means that it was edited later. */
  version?: number;
  /** The replaced content of a page. */
  before?: { title: string; content: string };
  path?: string;
  /** The run updated the essay or page; only in lists, which leave `restore` out. */
  isUpdate?: boolean;
  /** Of an essay or page that the run updated: what an undo restores. */
  restore?: Restore;
}

export interface Restore {
  /** The run that had brought or updated it before; null if its record was removed. */
  transferId: string | null;
  contentHash: string;
  essay?: ImportedContent & { updatedAt: string; withdrawn: Withdrawn | null };
  page?: Omit<PageContent, 'publishedAt' | 'updatedAt'> & { publishedAt: string | null; updatedAt: string };
}

export const transferItems = pgTable(
  'transfer_items',
  {
    transferId: uuid('transfer_id').notNull(),
    key: text().notNull(),
    seq: uuid().notNull(),
    kind: text().$type<TransferItemKind>().notNull(),
    outcome: text().$type<TransferOutcome>().notNull(),
    title: text().notNull(),
    note: text().notNull().default(''),
    targetId: uuid('target_id'),
    detail: jsonb().$type<ItemDetail>(),
  },
  (table) => [primaryKey({ columns: [table.transferId, table.key] })],
);
export type ItemRow = typeof transferItems.$inferSelect;

/** Which essay or page an item of another site became. */
export const importedSources = pgTable('imported_sources', {
  sourceHash: text('source_hash').primaryKey(),
  essayId: uuid('essay_id'),
  pageId: uuid('page_id'),
  transferId: uuid('transfer_id'),
  contentHash: text('content_hash').notNull(),
  /** The version of the essay that the last import wrote; a higher one means that it was edited later. */
  version: integer().notNull().default(1),
});
export type SourceRow = typeof importedSources.$inferSelect;

export const remotePictures = pgTable('remote_pictures', {
  id: uuid().primaryKey(),
  transferId: uuid('transfer_id').notNull(),
  /** As in the text. */
  url: text().notNull(),
  host: text().notNull(),
  kind: text().$type<RemoteFileKind>().notNull().default('picture'),
  status: text().$type<PictureStatus>().notNull().default('waiting'),
  attempts: integer().notNull().default(0),
  error: text().notNull().default(''),
  path: text(),
  nextAt: time('next_at').notNull(),
  /** Until then a process fetches the picture. */
  leasedUntil: time('leased_until'),
});
export type PictureRow = typeof remotePictures.$inferSelect;

/** Essays and pages that show a picture. */
export const remotePictureUses = pgTable('remote_picture_uses', {
  pictureId: uuid('picture_id').notNull(),
  essayId: uuid('essay_id'),
  pageId: uuid('page_id'),
  isCover: boolean('is_cover').notNull(),
  /** The text has the result of the last attempt. */
  applied: boolean().notNull().default(false),
});
export type PictureUseRow = typeof remotePictureUses.$inferSelect;
