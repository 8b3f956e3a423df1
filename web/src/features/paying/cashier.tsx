import { asCallError, messageOf } from '@mozhan/client/errors.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatTag } from '@mozhan/contract/money.ts';
import type { CashierOrder } from '@mozhan/contract/orders.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatTime } from '#web/lib/format.ts';
import { call } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Choices } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import styles from './cashier.module.css';
import { CashierWaiting } from './cashier-waiting.tsx';
import { Closing } from './closing.tsx';

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

interface Key {
  no: string;
  key: string;
}

const Bill = ({ order: { no, title, amount } }: { order: CashierOrder }) => (
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
      <dd>{formatTag(amount)}</dd>
    </div>
  </dl>
);

/** The same page for a phone to open. */
const OnPhone = () => (
  <div className={`stack gap-2 ink-2 text-s text-center not-on-phone ${styles.phone}`}>
    <QrFrame>
      <Optional>
        <QrCode text={location.href} label="这一页的二维码" />
      </Optional>
    </QrFrame>
    <p>用手机扫码，在手机上打开这一页付款。</p>
  </div>
);

function Decide({ order, place, onAnswer }: { order: CashierOrder; place: Key; onAnswer: OnAnswer }) {
  const api = useApi();
  const [delay, setDelay] = useState('0');
  const [times, setTimes] = useState('1');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (action: 'approve' | 'decline') =>
      api('POST core/fina/cashier', { ...place, action, delay: Number(delay), times: Number(times) }),
    onSuccess: (answer, action) => onAnswer(answer, action === 'approve'),
  });
  return (
    <>
      {order.declined ? <Notice tone="warn">已拒绝付款。到期之前，还可以改为同意。</Notice> : null}
      {error === null ? null : <Notice tone="bad">{messageOf(error)}</Notice>}
      <OnPhone />
      <div className={styles.buttons}>
        <Button busy={isPending} onClick={() => mutate('decline')}>
          拒绝
        </Button>
        <Button look="primary" busy={isPending} onClick={() => mutate('approve')}>
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
          <Choices name="delay" legend="延迟" options={delays} value={delay} onChange={setDelay} />
          <Choices name="times" legend="重复通知" options={repeats} value={times} onChange={setTimes} />
        </div>
      </details>
    </>
  );
}

type OnAnswer = (answer: CashierOrder, approved: boolean) => void;

function Order({ place }: { place: Key }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = call(api, 'GET core/fina/cashier', place);
  /** Agreed to here, while the notice of it is still under way. */
  const [isApproved, setApproved] = useState(false);
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state: { data } }) => (data?.status === ORDER_STATUS.waiting ? POLL_MS : false),
  });

  if (data === undefined) {
    if (error === null) return <CashierWaiting />;
    const status = asCallError(error)?.status;
    if (status === 404 || status === 422) return <Missing />;
    return <LoadFailed error={error} onRetry={refetch} />;
  }
  return (
    <>
      <Bill order={data} />
      {data.status === ORDER_STATUS.waiting && isApproved ? (
        <Closing tone="ok" level="h2" title="已同意付款" text="付款通知正在送达，稍等片刻。" />
      ) : data.status === ORDER_STATUS.waiting ? (
        <Decide
          order={data}
          place={place}
          onAnswer={(answer, approved) => {
            setApproved(approved);
            queryClient.setQueryData(query.queryKey, answer);
          }}
        />
      ) : (
        <Closing level="h2" {...endings[data.status]} />
      )}
    </>
  );
}

const endings = {
  [ORDER_STATUS.paid]: { tone: 'ok', title: '付款成功', text: '原来的页面会自己更新，这一页可以关掉了。' },
  [ORDER_STATUS.cancelled]: {
    tone: 'warn',
    title: '订单已关闭',
    text: '它已被取消，或过了付款时间。没有扣款。',
  },
  [ORDER_STATUS.refunded]: { tone: 'warn', title: '订单已退款', text: '这笔钱已经退回。' },
} as const;

const Missing = () => (
  <Closing
    tone="warn"
    title="找不到这张订单"
    text="地址不完整或已经失效。请回到原来的页面，重新打开收银台。"
  />
);

/** Stands in for a bank: whoever has the address may agree or refuse, and choose how the news of it travel. */
export const Cashier = ({ no, code }: { no: string | null; code: string | null }) =>
  no === null || code === null ? <Missing /> : <Order place={{ no, key: code }} />;
