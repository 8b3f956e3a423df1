import { toFlag } from '@mozhan/contract/enums.ts';
import type { WebhookDelivery, WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import type { ListedDelivery } from './queries.ts';
import type { EndpointRow } from './tables.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: row.events,
  enabled: toFlag(row.enabled),
  failingSince: iso(row.failingSince),
  disabledAt: iso(row.disabledAt),
  createdAt: row.createdAt.toISOString(),
});

export const toDelivery = ({ delivery, endpoint }: ListedDelivery): WebhookDelivery => ({
  id: delivery.id,
  endpoint: { id: endpoint.id, name: endpoint.name, url: endpoint.url, enabled: toFlag(endpoint.enabled) },
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  nextAt: delivery.status === 'waiting' ? delivery.nextAt.toISOString() : null,
  code: delivery.code,
  error: delivery.error,
  duration: delivery.duration,
  createdAt: delivery.createdAt.toISOString(),
});
