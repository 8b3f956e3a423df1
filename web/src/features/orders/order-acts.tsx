import type { Order } from '@mozhan/contract/orders.ts';
import { usePay } from '#web/features/paying/use-pay.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './orders.module.css';
import { useCancel } from './use-cancel.ts';
import { toClock, useTimeLeft } from './use-time-left.ts';

interface OrderActsProps {
  order: Order;
  /** In the list the buttons say which order they are for. */
  isListed?: boolean;
}

/** Of an order that waits to be paid: for how long, and what to do with it. */
export function OrderActs({ order, isListed = false }: OrderActsProps) {
  const pay = usePay();
  const left = useTimeLeft(order.expiresAt);
  const { cancel, isBusy } = useCancel(order);
  if (left === 0)
    return <p className={`ink-3 text-s numbers ${styles.left}`}>超过了支付时间，订单即将关闭。</p>;
  const labelled = (verb: string) => (isListed ? { 'aria-label': `${verb}「${order.title}」` } : {});
  return (
    <div className={`row wraps gap-2 ${styles.acts}`}>
      <Button look="primary" size="small" {...labelled('去支付')} onClick={() => void pay(order)}>
        去支付
      </Button>
      <Button size="small" busy={isBusy} {...labelled('取消')} onClick={cancel}>
        取消订单
      </Button>
      <span className={`ink-3 text-s numbers ${styles.left}`}>
        请在 <span role="timer">{toClock(left)}</span> 内支付
      </span>
    </div>
  );
}
