import { bigint, timestamp } from 'drizzle-orm/pg-core';

export const time = (name: string) => timestamp(name, { withTimezone: true });

/** Fen and counts, which a double holds exactly. */
export const wholeNumber = (name: string) => bigint(name, { mode: 'number' });
