import type { Output } from '@mozhan/contract/client.ts';
import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { DayRevenue, KindRevenue } from '../queries/revenue.ts';
import { isReconciled } from '../rules/finance.ts';
import type { ReconciliationRow } from '../tables.ts';

export function toReconciliation(row: ReconciliationRow): Reconciliation {
  return {
    id: row.id,
    day: row.day,
    provider: row.provider,
    ledger: row.ledger,
    orders: row.orders,
    statement: row.statement,
    note: row.note,
    differences: row.differences,
    agrees: isReconciled(row),
    createdAt: row.createdAt.toISOString(),
  };
}

export function toRevenue(days: DayRevenue[], kinds: KindRevenue[]): Output<'GET core/sys/finance/revenue'> {
  const sum = (field: 'turnover' | 'commission' | 'refunded' | 'orders'): number =>
    days.reduce((total, day) => total + day[field], 0);
  return {
    days: days.map(({ day, turnover, commission, refunded, orders }) => ({
      day,
      turnover,
      commission,
      refunded,
      orders,
    })),
    kinds: kinds.map(({ kind, amount, orders }) => ({ kind, amount, orders })),
    total: {
      turnover: sum('turnover'),
      commission: sum('commission'),
      refunded: sum('refunded'),
      orders: sum('orders'),
    },
  };
}
