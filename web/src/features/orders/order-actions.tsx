import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { invalidateOrderQueries } from '#web/features/paying/order-queries.ts';
import { usePay } from '#web/features/paying/use-pay.ts';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './orders.module.css';

const SECOND_MS = 1000;

/** Seconds until then, never below zero. */
function useTimeLeft(until: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((Date.parse(until) - now) / SECOND_MS));
}

/** Formats as 29:07. */
const toClock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function useCancelOrder({ id, title }: Order) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  async function cancel(): Promise<void> {
    const confirmation = { title: '取消这张订单？', text: `「${title}」还没有付款。`, action: '取消订单' };
    if (!(await confirm(confirmation))) return;
    setBusy(true);
    try {
      await api('PUT core/user/order', { id, action: 'cancel' });
      toast('订单已取消');
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setBusy(false);
      // Also after a refusal, as the order may have been paid in the meantime.
      await invalidateOrderQueries(queryClient);
    }
  }

  return { cancel, isBusy };
}

interface OrderActionsProps {
  order: Order;
  /** In a list the accessible names of the buttons contain the title of the order. */
  isListed?: boolean;
}

export function OrderActions({ order, isListed = false }: OrderActionsProps) {
  const pay = usePay();
  const left = useTimeLeft(order.expiresAt);
  const { cancel, isBusy } = useCancelOrder(order);
  if (left === 0)
    return <p className={`ink-3 text-s numbers ${styles.left}`}>超过了支付时间，订单即将关闭。</p>;
  const accessibleName = (verb: string) => (isListed ? { 'aria-label': `${verb}「${order.title}」` } : {});
  return (
    <div className={`row wraps gap-2 ${styles.acts}`}>
      <Button variant="primary" size="small" {...accessibleName('去支付')} onClick={() => void pay(order)}>
        去支付
      </Button>
      <Button size="small" busy={isBusy} {...accessibleName('取消')} onClick={cancel}>
        取消订单
      </Button>
      <span className={`ink-3 text-s numbers ${styles.left}`}>
        请在 <span role="timer">{toClock(left)}</span> 内支付
      </span>
    </div>
  );
}
