import {
  bigint,
  boolean,
  customType,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const searchEssays = pgTable('search_essays', {
  id: uuid().primaryKey(),
  title: text().notNull(),
  foldedTitle: text('folded_title').notNull(),
  /** The part of `stat` that depends on the publication date. */
  fresh: real().notNull(),
  /** Query-independent rank by age and number of reads. */
  stat: real().notNull(),
  tokens: integer().array().notNull(),
  impacts: bytes().notNull(),
});

export const searchHot = pgTable('search_hot', {
  id: uuid().primaryKey(),
  stat: real().notNull(),
  tokens: integer().array().notNull(),
  fresh: real().notNull(),
});

export const searchShares = pgTable('search_shares', {
  token: integer().primaryKey(),
  share: real().notNull(),
});

export const searchWords = pgTable('search_words', {
  word: text().primaryKey(),
  uses: integer().notNull(),
  keys: integer().array().notNull(),
});

export const searchNewWords = pgTable('search_new_words', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  words: text().array().notNull(),
});

/** Words that staff added to the dictionary. */
export const searchTerms = pgTable('search_terms', {
  id: uuid().primaryKey(),
  word: text().notNull(),
  createdAt: time('created_at').notNull(),
});

/** One row: the version of the words, and the one that all essays were indexed with. */
export const searchTermLists = pgTable('search_term_lists', {
  version: uuid().primaryKey(),
  indexedVersion: uuid('indexed_version').notNull(),
});

export const searchNames = pgTable(
  'search_names',
  {
    kind: text({ enum: ['user', 'person', 'tag', 'column'] }).notNull(),
    id: uuid().notNull(),
    form: text().notNull(),
    name: text().notNull(),
    isWhole: boolean('is_whole').notNull(),
    weight: real().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.form] })],
);
