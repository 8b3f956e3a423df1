import { errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import { formatPriceTag, formatYuan } from '@mozhan/contract/money.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import type { PayBy, Prices } from '@mozhan/contract/prices.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { newId } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Choice } from '#web/ui/choice.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import type { Bill } from './bill.ts';
import { invalidateOrderQueries } from './order-queries.ts';
import styles from './pay.module.css';
import { payMethodLabels } from './pay-method-labels.ts';
import { requestWechatCode } from './wechat.ts';
import { WithPrices } from './with-prices.tsx';

/** Always reloaded, as it may have changed in another tab. Undefined while it is loading. */
function useBalance(): number | undefined {
  const { data } = useCall('GET core/user/', {}, { refetchOnMount: 'always' });
  return data !== undefined && 'account' in data ? data.balance : undefined;
}

/** Whether the offer on the page is outdated: changed, bought elsewhere or withdrawn. */
const isOutdated = (error: unknown): boolean =>
  hasErrorCode(error, 'PRICE_CHANGED', 'ALREADY_OWNED', 'NOT_FOR_SALE', 'GONE');

/** Places the order. Retries use the same request id, so repeated clicks create no second order. */
function usePlaceOrder(bill: Bill, onPlaced: (order: Order) => void) {
  const api = useApi();
  const router = useRouter();
  const queryClient = useQueryClient();
  const requestIds = useRef(new Map<PayBy, string>());

  function requestIdOf(payBy: PayBy): string {
    const requestId = requestIds.current.get(payBy) ?? newId();
    requestIds.current.set(payBy, requestId);
    return requestId;
  }

  async function placeOrder({ payBy, wechatCode }: { payBy: PayBy; wechatCode?: string }): Promise<Order> {
    const { kind, targetId, amount, message = '' } = bill;
    const payment = { payBy, requestId: requestIdOf(payBy), ...(wechatCode !== undefined && { wechatCode }) };
    if (kind === 'reward')
      return await api('POST core/essay/reward', { essayId: targetId ?? '', amount, message, ...payment });
    return await api('POST core/user/order', {
      kind,
      ...(kind === 'recharge' ? { amount } : { targetId, price: amount }),
      ...payment,
    });
  }

  return useMutation({
    mutationFn: async (payment: { payBy: PayBy; wechatCode?: string }) => {
      try {
        onPlaced(await placeOrder(payment));
      } catch (error) {
        if (!hasErrorCode(error, 'WECHAT_CODE_REQUIRED') || payment.wechatCode !== undefined) throw error;
        await requestWechatCode(api, router, bill);
        // The page is being left, so the mutation stays pending to disable the form.
        await new Promise(() => {});
      }
    },
    onError: (error) => {
      if (isOutdated(error)) void invalidateOrderQueries(queryClient);
    },
  });
}

interface PayMethodProps {
  payBy: PayBy;
  checked: boolean;
  disabled?: boolean;
  onChange: () => void;
  /** Displayed below the name. */
  children: ReactNode;
  /** Displayed beside the option, and not part of it. */
  aside?: ReactNode;
}

function PayMethod({ payBy, checked, disabled, onChange, children, aside }: PayMethodProps) {
  const id = useId();
  return (
    <div className={styles.method}>
      <Choice
        type="radio"
        variant="card"
        name="payBy"
        value={payBy}
        checked={checked}
        disabled={disabled}
        aria-describedby={id}
        onChange={onChange}
      >
        {payMethodLabels[payBy]}
        <small id={id}>{children}</small>
      </Choice>
      {aside}
    </div>
  );
}

const methodHints: Record<Exclude<PayBy, 'balance'>, string> = {
  alipay: '到支付宝的页面付款',
  wechat: '用微信扫码，或在微信里付款',
  sandbox: '仅供演示，不会产生真实扣款',
};

interface PayMethodsProps {
  bill: Bill;
  wechatCode: string | undefined;
  onPlaced: (order: Order) => void;
  onBack: (() => void) | undefined;
  onLeave: () => void;
}

function PayMethodsForm({
  prices,
  bill,
  wechatCode,
  onPlaced,
  onBack,
  onLeave,
}: PayMethodsProps & { prices: Prices }) {
  const balance = useBalance();
  const { mutate, isPending, error } = usePlaceOrder(bill, onPlaced);
  const [chosen, setChosen] = useState<PayBy>();

  const isEnough = balance !== undefined && balance >= bill.amount;
  const methods = prices.payBy.filter((method) => method !== 'balance' || bill.kind !== 'recharge');
  const usable = methods.filter((method) => method !== 'balance' || isEnough);
  const selected = chosen !== undefined && usable.includes(chosen) ? chosen : usable[0];

  const returned = useRef(wechatCode);
  useEffect(() => {
    if (returned.current !== undefined) mutate({ payBy: 'wechat', wechatCode: returned.current });
    returned.current = undefined;
  }, [mutate]);

  const balanceHint =
    balance === undefined
      ? '正在查询…'
      : isEnough
        ? `现有 ${formatYuan(balance)}，支付后剩 ${formatYuan(balance - bill.amount)}`
        : `现有 ${formatYuan(balance)}，余额不足`;
  return (
    <form
      className="stack gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (selected !== undefined && !isPending) mutate({ payBy: selected });
      }}
    >
      <div className={`sunken stack gap-1 text-center ${styles.bill}`}>
        <p>{bill.title}</p>
        <p className="amount bold">{formatPriceTag(bill.amount)}</p>
      </div>
      {error === null ? null : <Alert tone="bad">{errorMessageOf(error)}</Alert>}
      {methods.length === 0 ? (
        <Alert tone="warn">本站还没有开通在线支付，请联系管理员。</Alert>
      ) : (
        <div className="stack gap-2" role="radiogroup" aria-label="支付方式">
          {methods.map((method) => (
            <PayMethod
              key={method}
              payBy={method}
              checked={method === selected}
              disabled={method === 'balance' && !isEnough}
              onChange={() => setChosen(method)}
              aside={
                method === 'balance' && balance !== undefined && !isEnough ? (
                  <Link
                    className={`row text-m ${styles.recharge}`}
                    to="/account/center.html"
                    search={{ tab: 'wallet' }}
                    onClick={onLeave}
                  >
                    去充值
                  </Link>
                ) : null
              }
            >
              {method === 'balance' ? balanceHint : methodHints[method]}
            </PayMethod>
          ))}
        </div>
      )}
      <div className={`flex end gap-2 ${styles.buttons}`}>
        {onBack === undefined ? null : <Button onClick={onBack}>上一步</Button>}
        {selected === undefined ? null : (
          <Button variant="primary" type="submit" busy={isPending}>
            {isPending ? '正在下单…' : `支付 ${formatPriceTag(bill.amount)}`}
          </Button>
        )}
      </div>
    </form>
  );
}

export const PayMethods = (props: PayMethodsProps) => (
  <WithPrices loading={<LoadingSkeleton className="stack gap-4" lines={['50', '100 l', '100 l']} />}>
    {(prices) => <PayMethodsForm prices={prices} {...props} />}
  </WithPrices>
);
