import { boolean, pgTable, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core';

/** Two who have written to each other, the smaller id first. */
export const contacts = pgTable(
  'contacts',
  {
    userA: uuid('user_a').notNull(),
    userB: uuid('user_b').notNull(),
    /** Who wrote last, and how many of theirs wait for an answer. */
    fromId: uuid('from_id').notNull(),
    unanswered: smallint().notNull(),
    /** Both have written. */
    answered: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.userA, table.userB] })],
);
