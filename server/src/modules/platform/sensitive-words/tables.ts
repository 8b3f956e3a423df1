import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const words = pgTable('words', {
  id: uuid().primaryKey(),
  word: text().notNull(),
  /** Normalised form, see `toPattern` in `normalize.ts`. */
  key: text().notNull(),
  level: text().$type<WordLevel>().notNull(),
  note: text().notNull(),
  enabled: boolean().notNull(),
  createdAt: time('created_at').notNull(),
});
export type Word = typeof words.$inferSelect;

/** Has exactly one row. */
export const wordLists = pgTable('word_lists', { version: uuid().primaryKey() });
