import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import type { CashierOrder } from '@mozhan/contract/orders.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatTime } from '#web/lib/format.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import styles from './cashier.module.css';
import { CashierSkeleton } from './cashier-skeleton.tsx';
import { PaymentResult } from './payment-result.tsx';

const POLL_MS = 2000;

const delays = [
  { value: '0', label: '立刻' },
  { value: '5', label: '5 秒后' },
  { value: '30', label: '30 秒后' },
];
const repeats = [
  { value: '1', label: '1 次' },
  { value: '3', label: '3 次' },
];

interface CashierKey {
  no: string;
  key: string;
}

const OrderSummary = ({ order: { no, title, amount } }: { order: CashierOrder }) => (
  <dl className={`stack gap-2 text-m ${styles.bill}`}>
    <div>
      <dt>商品</dt>
      <dd>{title}</dd>
    </div>
    <div>
      <dt>订单号</dt>
      <dd>{no}</dd>
    </div>
    <div className={styles.amount}>
      <dt>应付</dt>
      <dd>{formatPriceTag(amount)}</dd>
    </div>
  </dl>
);

const PhoneQrCode = () => (
  <div className={`stack gap-2 ink-2 text-s text-center not-on-phone ${styles.phone}`}>
    <QrFrame>
      <Optional>
        <QrCode text={location.href} label="这一页的二维码" />
      </Optional>
    </QrFrame>
    <p>用手机扫码，在手机上打开这一页付款。</p>
  </div>
);

function PaymentDecision({
  order,
  cashierKey,
  onDecided,
}: {
  order: CashierOrder;
  cashierKey: CashierKey;
  onDecided: OnDecided;
}) {
  const api = useApi();
  const [delay, setDelay] = useState('0');
  const [times, setTimes] = useState('1');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (action: 'approve' | 'decline') =>
      api('POST core/fina/cashier', { ...cashierKey, action, delay: Number(delay), times: Number(times) }),
    onSuccess: (answer, action) => onDecided(answer, action === 'approve'),
  });
  return (
    <>
      {order.declined ? <Alert tone="warn">已拒绝付款。到期之前，还可以改为同意。</Alert> : null}
      {error === null ? null : <Alert tone="bad">{errorMessageOf(error)}</Alert>}
      <PhoneQrCode />
      <div className={styles.buttons}>
        <Button busy={isPending} onClick={() => mutate('decline')}>
          拒绝
        </Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate('approve')}>
          同意付款
        </Button>
      </div>
      <p className="ink-3 text-s text-center">请在 {formatTime(order.expiresAt).slice(0, 5)} 前付款。</p>
      <details className={styles.more}>
        <summary>
          高级：付款通知怎样送达
          <Icon name="down" small />
        </summary>
        <div>
          <ChoiceGroup name="delay" legend="延迟" options={delays} value={delay} onChange={setDelay} />
          <ChoiceGroup name="times" legend="重复通知" options={repeats} value={times} onChange={setTimes} />
        </div>
      </details>
    </>
  );
}

type OnDecided = (answer: CashierOrder, approved: boolean) => void;

function CashierOrderView({ cashierKey }: { cashierKey: CashierKey }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = callQuery(api, 'GET core/fina/cashier', cashierKey);
  /** Approved here, while the payment notification is still on its way. */
  const [isApproved, setApproved] = useState(false);
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state: { data } }) => (data?.status === ORDER_STATUS.waiting ? POLL_MS : false),
  });

  if (data === undefined) {
    if (error === null) return <CashierSkeleton />;
    const status = asCallError(error)?.status;
    if (status === 404 || status === 422) return <OrderNotFound />;
    return <LoadFailed error={error} onRetry={refetch} />;
  }
  return (
    <>
      <OrderSummary order={data} />
      {data.status === ORDER_STATUS.waiting && isApproved ? (
        <PaymentResult tone="ok" level="h2" title="已同意付款" text="付款通知正在送达，稍等片刻。" />
      ) : data.status === ORDER_STATUS.waiting ? (
        <PaymentDecision
          order={data}
          cashierKey={cashierKey}
          onDecided={(answer, approved) => {
            setApproved(approved);
            queryClient.setQueryData(query.queryKey, answer);
          }}
        />
      ) : (
        <PaymentResult level="h2" {...closedStates[data.status]} />
      )}
    </>
  );
}

const closedStates = {
  [ORDER_STATUS.paid]: { tone: 'ok', title: '付款成功', text: '原来的页面会自动更新，这一页可以关掉了。' },
  [ORDER_STATUS.cancelled]: {
    tone: 'warn',
    title: '订单已关闭',
    text: '订单已取消，或者超过了付款时间。没有扣款。',
  },
  [ORDER_STATUS.refunded]: { tone: 'warn', title: '订单已退款', text: '这笔钱已经退回。' },
} as const;

const OrderNotFound = () => (
  <PaymentResult
    tone="warn"
    title="找不到这张订单"
    text="地址不完整或已经失效。请回到原来的页面，重新打开收银台。"
  />
);

/** The sandbox provider's page: whoever has the URL may approve or decline the payment. */
export const Cashier = ({ no, code }: { no: string | null; code: string | null }) =>
  no === null || code === null ? <OrderNotFound /> : <CashierOrderView cashierKey={{ no, key: code }} />;
