import { bigint, timestamp } from 'drizzle-orm/pg-core';

export const time = (name: string) => timestamp(name, { withTimezone: true });

/** A `bigint` for fen and counts, which a double holds exactly. */
export const bigintNumber = (name: string) => bigint(name, { mode: 'number' });
