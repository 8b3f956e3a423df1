import { messageOf } from '@mozhan/client/errors.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatTag } from '@mozhan/contract/money.ts';
import type { Order, Pay } from '@mozhan/contract/orders.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatTime } from '#web/lib/format.ts';
import { call } from '#web/lib/queries.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import { paidWords } from './bill.ts';
import { Closing } from './closing.tsx';
import styles from './pay.module.css';
import { wayNames } from './way-names.ts';
import { payInWechat } from './wechat.ts';

const POLL_MS = 3000;

/** What has become of it: told by the live event, and asked for as long as somebody looks. */
function useOrder(first: Order) {
  const query = useQuery({
    ...call(useApi(), 'GET core/user/order', { id: first.id }),
    initialData: first,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && 'no' in data && data.status === ORDER_STATUS.waiting ? POLL_MS : false,
  });
  return { order: 'no' in query.data ? query.data : first, refetch: query.refetch };
}

interface HowProps {
  order: Order;
  pay: Pay;
  onAsked: () => void;
}

/** The provider's part: its sheet inside WeChat, its code, or its page. */
function How({ order: { payBy }, pay: { url, qr, jsapi }, onAsked }: HowProps) {
  const asked = useRef(onAsked);
  asked.current = onAsked;
  const openSheet = useRef(async () => {
    if (jsapi !== undefined) await payInWechat(jsapi);
    asked.current();
  });

  useEffect(() => {
    if (jsapi !== undefined) void openSheet.current();
    // A browser that does not let it leaves the link.
    else if (qr === undefined && url !== undefined) window.open(url, '_blank', 'noopener');
  }, [jsapi, qr, url]);

  if (jsapi !== undefined)
    return (
      <Button look="primary" block onClick={() => openSheet.current()}>
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
          className={buttonClass({ look: 'primary', block: true })}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {payBy === 'sandbox' ? '打开收银台' : `打开${wayNames[payBy]}`}
        </a>
      )}
    </>
  );
}

interface WaitingProps {
  order: Order;
  onChanged: () => void;
  onAgain: () => void;
}

function Waiting({ order, onChanged, onAgain }: WaitingProps) {
  const api = useApi();
  const { id, payBy, pay, amount } = order;
  const change = useMutation({
    mutationFn: (action: 'pay' | 'cancel') => api('PUT core/user/order', { id, action }),
    onSettled: onChanged,
  });
  const other = useMutation({
    mutationFn: () => api('PUT core/user/order', { id, action: 'cancel' }),
    onSuccess: onAgain,
    onError: onChanged,
  });
  const isBusy = change.isPending || other.isPending;
  const error = change.error ?? other.error;
  // The sandbox would take the question for the cashier's consent.
  const canAsk = payBy !== 'sandbox';
  return (
    <div className={`stack gap-4 text-center ${styles.state}`}>
      {payBy === 'sandbox' ? <Notice>演示收银台，不会产生真实扣款。</Notice> : null}
      {error === null ? null : <Notice tone="bad">{messageOf(error)}</Notice>}
      {pay?.declined ? <Notice tone="warn">付款被拒绝了。可以再付一次，或换一种方式。</Notice> : null}
      <p className="amount bold">{formatTag(amount)}</p>
      {pay === null ? null : <How order={order} pay={pay} onAsked={onChanged} />}
      <p className={styles.quiet} role="status">
        等待付款，请在 {formatTime(order.expiresAt).slice(0, 5)} 前完成。
        <br />
        付款后这里会自己更新。
      </p>
      <div className={styles.links}>
        {canAsk ? (
          <Button look="ghost" busy={isBusy} onClick={() => change.mutate('pay')}>
            {pay === null ? '继续付款' : '我已付款'}
          </Button>
        ) : null}
        <Button look="ghost" busy={isBusy} onClick={() => other.mutate()}>
          换一种方式
        </Button>
        <Button look="ghost" busy={isBusy} onClick={() => change.mutate('cancel')}>
          取消订单
        </Button>
      </div>
    </div>
  );
}

const isExpired = ({ expiresAt }: Order) => Date.parse(expiresAt) <= Date.now();

interface OrderStateProps {
  /** As it was placed. */
  first: Order;
  onPaid: (order: Order) => void;
  onAgain: () => void;
  onDone: () => void;
}

/** An order on its way from being placed to being paid, or not. */
export function OrderState({ first, onPaid, onAgain, onDone }: OrderStateProps) {
  const { order, refetch } = useOrder(first);
  const { status, kind, amount, title } = order;
  const paid = useRef(() => {});
  paid.current = () => onPaid(order);
  useEffect(() => {
    if (status === ORDER_STATUS.paid) paid.current();
  }, [status]);

  if (status === ORDER_STATUS.waiting) return <Waiting order={order} onChanged={refetch} onAgain={onAgain} />;
  if (status === ORDER_STATUS.paid)
    return (
      <Closing tone="ok" title={`已支付 ${formatTag(amount)}`} text={`${title}：${paidWords[kind]}。`}>
        <Button look="primary" block onClick={onDone}>
          完成
        </Button>
      </Closing>
    );
  if (status === ORDER_STATUS.refunded)
    return (
      <Closing tone="warn" title="已退款" text={order.refundReason}>
        <Button block onClick={onDone}>
          知道了
        </Button>
      </Closing>
    );
  return (
    <Closing
      tone="warn"
      title={isExpired(order) ? '订单已过期' : '订单已取消'}
      text={
        isExpired(order)
          ? '30 分钟内没有付款，订单自动关闭了，没有扣款。'
          : '没有扣款。还想要的话，可以重新下单。'
      }
    >
      <Button look="primary" block onClick={onAgain}>
        重新下单
      </Button>
    </Closing>
  );
}
