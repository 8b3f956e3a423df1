import cluster from 'node:cluster';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Ctx } from './ctx.ts';

/** Events that a process counts for Prometheus; figures of the database are gauges that modules declare. */
export interface Metrics {
  registry: Registry;
  /** `retried`: the queue tries again; `failed`: it does not. */
  countMail: (result: 'sent' | 'retried' | 'failed' | 'bounced') => void;
  countPayment: (provider: string, result: 'paid' | 'credited' | 'refunded' | 'refund-failed') => void;
  countCallback: (provider: string, result: 'accepted' | 'refused') => void;
}

/** Gauges that one cheap query fills; null leaves a gauge out. */
export interface GaugeGroup {
  /** The help texts by name. */
  gauges: Readonly<Record<string, string>>;
  read: (ctx: Ctx) => Promise<Readonly<Record<string, number | null>>>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  // Each worker reports its own metrics.
  if (cluster.worker !== undefined) registry.setDefaultLabels({ worker: cluster.worker.id });
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const mails = counter('mails_total', 'Attempts to send a mail, by result', ['result']);
  const payments = counter('payments_total', 'Payments and refunds, by provider and result', [
    'provider',
    'result',
  ]);
  const callbacks = counter('payment_callbacks_total', 'Callbacks of payment providers, by result', [
    'provider',
    'result',
  ]);
  return {
    registry,
    countMail: (result) => mails.inc({ result }),
    countPayment: (provider, result) => payments.inc({ provider, result }),
    countCallback: (provider, result) => callbacks.inc({ provider, result }),
  };
}
