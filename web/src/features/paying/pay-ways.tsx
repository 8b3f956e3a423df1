import { hasCode, messageOf } from '@mozhan/client/errors.ts';
import { formatTag, formatYuan } from '@mozhan/contract/money.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import type { PayBy, Prices } from '@mozhan/contract/prices.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { newId } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Choice } from '#web/ui/choice.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import type { Bill } from './bill.ts';
import { orderChanged } from './orders.ts';
import styles from './pay.module.css';
import { wayNames } from './way-names.ts';
import { askWechat } from './wechat.ts';
import { WithPrices } from './with-prices.tsx';

/** As it is now: it may have changed in another tab. Undefined while it is not known. */
function useBalance(): number | undefined {
  const { data } = useCall('GET core/user/', {}, { refetchOnMount: 'always' });
  return data !== undefined && 'account' in data ? data.balance : undefined;
}

/** What is for sale is not as the page shows it: it has changed, was bought elsewhere or is gone. */
const isOutdated = (error: unknown): boolean =>
  hasCode(error, 'PRICE_CHANGED', 'ALREADY_OWNED', 'NOT_FOR_SALE', 'GONE');

/** Sends the order. The same one, however often: a press too many or an answer that got lost costs nothing. */
function usePlace(bill: Bill, onPlaced: (order: Order) => void) {
  const api = useApi();
  const router = useRouter();
  const queryClient = useQueryClient();
  const requestIds = useRef(new Map<PayBy, string>());

  function requestIdOf(payBy: PayBy): string {
    const requestId = requestIds.current.get(payBy) ?? newId();
    requestIds.current.set(payBy, requestId);
    return requestId;
  }

  async function place({ payBy, wechatCode }: { payBy: PayBy; wechatCode?: string }): Promise<Order> {
    const { kind, targetId, amount, message = '' } = bill;
    const how = { payBy, requestId: requestIdOf(payBy), ...(wechatCode !== undefined && { wechatCode }) };
    if (kind === 'reward')
      return await api('POST core/essay/reward', { essayId: targetId ?? '', amount, message, ...how });
    return await api('POST core/user/order', {
      kind,
      ...(kind === 'recharge' ? { amount } : { targetId, price: amount }),
      ...how,
    });
  }

  return useMutation({
    mutationFn: async (how: { payBy: PayBy; wechatCode?: string }) => {
      try {
        onPlaced(await place(how));
      } catch (error) {
        if (!hasCode(error, 'WECHAT_CODE_REQUIRED') || how.wechatCode !== undefined) throw error;
        await askWechat(api, router, bill);
        // The page is being left: nothing can be pressed any more.
        await new Promise(() => {});
      }
    },
    onError: (error) => {
      if (isOutdated(error)) void orderChanged(queryClient);
    },
  });
}

interface WayProps {
  payBy: PayBy;
  checked: boolean;
  disabled?: boolean;
  onChange: () => void;
  /** Below its name. */
  children: ReactNode;
  /** Beside it, and not part of the choice. */
  aside?: ReactNode;
}

function Way({ payBy, checked, disabled, onChange, children, aside }: WayProps) {
  const id = useId();
  return (
    <div className={styles.way}>
      <Choice
        type="radio"
        look="card"
        name="payBy"
        value={payBy}
        checked={checked}
        disabled={disabled}
        aria-describedby={id}
        onChange={onChange}
      >
        {wayNames[payBy]}
        <small id={id}>{children}</small>
      </Choice>
      {aside}
    </div>
  );
}

const hints: Record<Exclude<PayBy, 'balance'>, string> = {
  alipay: '到支付宝的页面付款',
  wechat: '用微信扫码，或在微信里付款',
  sandbox: '仅供演示，不会产生真实扣款',
};

interface PayWaysProps {
  bill: Bill;
  wechatCode: string | undefined;
  onPlaced: (order: Order) => void;
  /** To what was asked before. */
  onBack: (() => void) | undefined;
  onLeave: () => void;
}

function Ways({ prices, bill, wechatCode, onPlaced, onBack, onLeave }: PayWaysProps & { prices: Prices }) {
  const balance = useBalance();
  const { mutate, isPending, error } = usePlace(bill, onPlaced);
  const [chosen, setChosen] = useState<PayBy>();

  const isEnough = balance !== undefined && balance >= bill.amount;
  const ways = prices.payBy.filter((way) => way !== 'balance' || bill.kind !== 'recharge');
  const usable = ways.filter((way) => way !== 'balance' || isEnough);
  const selected = chosen !== undefined && usable.includes(chosen) ? chosen : usable[0];

  const returned = useRef(wechatCode);
  useEffect(() => {
    if (returned.current !== undefined) mutate({ payBy: 'wechat', wechatCode: returned.current });
    returned.current = undefined;
  }, [mutate]);

  const left =
    balance === undefined
      ? '正在查看…'
      : isEnough
        ? `现有 ${formatYuan(balance)}，付后剩 ${formatYuan(balance - bill.amount)}`
        : `现有 ${formatYuan(balance)}，不够付这一笔`;
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
        <p className="amount bold">{formatTag(bill.amount)}</p>
      </div>
      {error === null ? null : <Notice tone="bad">{messageOf(error)}</Notice>}
      {ways.length === 0 ? (
        <Notice tone="warn">本站还没有开通在线支付，请联系管理员。</Notice>
      ) : (
        <div className="stack gap-2" role="radiogroup" aria-label="支付方式">
          {ways.map((way) => (
            <Way
              key={way}
              payBy={way}
              checked={way === selected}
              disabled={way === 'balance' && !isEnough}
              onChange={() => setChosen(way)}
              aside={
                way === 'balance' && balance !== undefined && !isEnough ? (
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
              {way === 'balance' ? left : hints[way]}
            </Way>
          ))}
        </div>
      )}
      <div className={`flex end gap-2 ${styles.buttons}`}>
        {onBack === undefined ? null : <Button onClick={onBack}>上一步</Button>}
        {selected === undefined ? null : (
          <Button look="primary" type="submit" busy={isPending}>
            {isPending ? '正在下单…' : `支付 ${formatTag(bill.amount)}`}
          </Button>
        )}
      </div>
    </form>
  );
}

/** What it costs and by what to pay it. */
export const PayWays = (props: PayWaysProps) => (
  <WithPrices waiting={<Waiting className="stack gap-4" lines={['50', '100 l', '100 l']} />}>
    {(prices) => <Ways prices={prices} {...props} />}
  </WithPrices>
);
