import type { DeliveryStatus, SentEvent, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import { boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  url: text().notNull(),
  events: text().array().$type<WebhookEvent[]>().notNull(),
  /** Encrypted. */
  secret: text().notNull(),
  enabled: boolean().notNull(),
  /** Since when nothing has arrived there. */
  failingSince: time('failing_since'),
  /** By us, because nothing arrived for days. */
  disabledAt: time('disabled_at'),
  createdBy: uuid('created_by'),
  createdAt: time('created_at').notNull(),
});
export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/** What came of one attempt. */
export interface Attempt {
  at: string;
  code: number | null;
  error: string;
  duration: number;
}

export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: uuid().primaryKey(),
  endpointId: uuid('endpoint_id').notNull(),
  event: text().$type<SentEvent>().notNull(),
  /** As it is signed and sent, the same at every attempt. */
  body: text().notNull(),
  status: text().$type<DeliveryStatus>().notNull(),
  /** Since it was last asked for. */
  attempts: smallint().notNull().default(0),
  nextAt: time('next_at').notNull(),
  code: smallint(),
  error: text().notNull().default(''),
  response: text().notNull().default(''),
  duration: integer(),
  log: jsonb().$type<Attempt[]>().notNull().default([]),
  createdAt: time('created_at').notNull(),
});
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
