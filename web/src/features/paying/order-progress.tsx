import { errorMessageOf } from '@mozhan/client/errors.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import type { Order, PaymentInstructions } from '@mozhan/contract/orders.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatTime } from '#web/lib/format.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { Optional } from '#web/ui/optional.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import { paidMessages } from './bill.ts';
import styles from './pay.module.css';
import { payMethodLabels } from './pay-method-labels.ts';
import { PaymentResult } from './payment-result.tsx';
import { payInWechat } from './wechat.ts';

const POLL_MS = 3000;

/** The current state of the order, updated by live events and by polling while it is displayed. */
function useOrder(initialOrder: Order) {
  const query = useQuery({
    ...callQuery(useApi(), 'GET core/user/order', { id: initialOrder.id }),
    initialData: initialOrder,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && 'no' in data && data.status === ORDER_STATUS.waiting ? POLL_MS : false,
  });
  return { order: 'no' in query.data ? query.data : initialOrder, refetch: query.refetch };
}

interface ProviderPaymentProps {
  order: Order;
  pay: PaymentInstructions;
  onPaymentTried: () => void;
}

/** The provider's part: its sheet inside WeChat, its QR code, or its page. */
function ProviderPayment({
  order: { payBy },
  pay: { url, qr, jsapi },
  onPaymentTried,
}: ProviderPaymentProps) {
  const latestOnTried = useRef(onPaymentTried);
  latestOnTried.current = onPaymentTried;
  const openSheet = useRef(async () => {
    if (jsapi !== undefined) await payInWechat(jsapi);
    latestOnTried.current();
  });

  useEffect(() => {
    if (jsapi !== undefined) void openSheet.current();
    // When the browser blocks the popup, the link remains.
    else if (qr === undefined && url !== undefined) window.open(url, '_blank', 'noopener');
  }, [jsapi, qr, url]);

  if (jsapi !== undefined)
    return (
      <Button variant="primary" block onClick={() => openSheet.current()}>
        用微信付款
      </Button>
    );
  return (
    <>
      {qr === undefined ? null : (
        <QrFrame>
          <Optional>
            <QrCode text={new URL(qr, location.href).href} label="付款的二维码" />
          </Optional>
        </QrFrame>
      )}
      {qr === undefined ? null : (
        <p>{payBy === 'wechat' ? '用微信扫一扫付款' : '用手机扫码，或者就在这里打开'}</p>
      )}
      {url === undefined ? null : (
        <a
          className={buttonClass({ variant: 'primary', block: true })}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {payBy === 'sandbox' ? '打开收银台' : `打开${payMethodLabels[payBy]}`}
        </a>
      )}
    </>
  );
}

interface WaitingForPaymentProps {
  order: Order;
  onChanged: () => void;
  onRestart: () => void;
}

function WaitingForPayment({ order, onChanged, onRestart }: WaitingForPaymentProps) {
  const api = useApi();
  const { id, payBy, pay, amount } = order;
  const change = useMutation({
    mutationFn: (action: 'pay' | 'cancel') => api('PUT core/user/order', { id, action }),
    onSettled: onChanged,
  });
  const cancelAndRestart = useMutation({
    mutationFn: () => api('PUT core/user/order', { id, action: 'cancel' }),
    onSuccess: onRestart,
    onError: onChanged,
  });
  const isBusy = change.isPending || cancelAndRestart.isPending;
  const error = change.error ?? cancelAndRestart.error;
  // The sandbox would treat the query as an approval by the cashier.
  const canQueryStatus = payBy !== 'sandbox';
  return (
    <div className={`stack gap-4 text-center ${styles.state}`}>
      {payBy === 'sandbox' ? <Alert>演示收银台，不会产生真实扣款。</Alert> : null}
      {error === null ? null : <Alert tone="bad">{errorMessageOf(error)}</Alert>}
      {pay?.declined ? <Alert tone="warn">付款被拒绝了。可以再付一次，或换一种方式。</Alert> : null}
      <p className="amount bold">{formatPriceTag(amount)}</p>
      {pay === null ? null : <ProviderPayment order={order} pay={pay} onPaymentTried={onChanged} />}
      <p className={styles.quiet} role="status">
        等待付款，请在 {formatTime(order.expiresAt).slice(0, 5)} 前完成。
        <br />
        付款后这里会自动更新。
      </p>
      <div className={styles.links}>
        {canQueryStatus ? (
          <Button variant="ghost" busy={isBusy} onClick={() => change.mutate('pay')}>
            {pay === null ? '继续付款' : '我已付款'}
          </Button>
        ) : null}
        <Button variant="ghost" busy={isBusy} onClick={() => cancelAndRestart.mutate()}>
          换一种方式
        </Button>
        <Button variant="ghost" busy={isBusy} onClick={() => change.mutate('cancel')}>
          取消订单
        </Button>
      </div>
    </div>
  );
}

const isExpired = ({ expiresAt }: Order) => Date.parse(expiresAt) <= Date.now();

interface OrderProgressProps {
  initialOrder: Order;
  onPaid: (order: Order) => void;
  onRestart: () => void;
  onDone: () => void;
}

/** Follows an order until it is paid or closed. */
export function OrderProgress({ initialOrder, onPaid, onRestart, onDone }: OrderProgressProps) {
  const { order, refetch } = useOrder(initialOrder);
  const { status, kind, amount, title } = order;
  const latestOnPaid = useRef(() => {});
  latestOnPaid.current = () => onPaid(order);
  useEffect(() => {
    if (status === ORDER_STATUS.paid) latestOnPaid.current();
  }, [status]);

  if (status === ORDER_STATUS.waiting)
    return <WaitingForPayment order={order} onChanged={refetch} onRestart={onRestart} />;
  if (status === ORDER_STATUS.paid)
    return (
      <PaymentResult
        tone="ok"
        title={`已支付 ${formatPriceTag(amount)}`}
        text={`${title}：${paidMessages[kind]}。`}
      >
        <Button variant="primary" block onClick={onDone}>
          完成
        </Button>
      </PaymentResult>
    );
  if (status === ORDER_STATUS.refunded)
    return (
      <PaymentResult tone="warn" title="已退款" text={order.refundReason}>
        <Button block onClick={onDone}>
          知道了
        </Button>
      </PaymentResult>
    );
  return (
    <PaymentResult
      tone="warn"
      title={isExpired(order) ? '订单已过期' : '订单已取消'}
      text={
        isExpired(order)
          ? '30 分钟内没有付款，订单自动关闭了，没有扣款。'
          : '没有扣款。还想要的话，可以重新下单。'
      }
    >
      <Button variant="primary" block onClick={onRestart}>
        重新下单
      </Button>
    </PaymentResult>
  );
}
