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
  /** The time of the first failure since the last successful delivery. */
  failingSince: time('failing_since'),
  disabledAt: time('disabled_at'),
  createdBy: uuid('created_by'),
  createdAt: time('created_at').notNull(),
});
export type EndpointRow = typeof webhookEndpoints.$inferSelect;

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
  /** The signed body, identical at every attempt. */
  body: text().notNull(),
  status: text().$type<DeliveryStatus>().notNull(),
  /** Counted from the last manual redelivery. */
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
