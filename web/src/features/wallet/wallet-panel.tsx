import { formatYuan } from '@mozhan/contract/money.ts';
import type { Wallet } from '@mozhan/contract/wallet.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import type { Pay } from '#web/lib/orders.ts';
import { call } from '#web/lib/queries.ts';
import type { WithReauth } from '#web/lib/reauth.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { Months } from './months.tsx';
import { RechargeDialog } from './recharge-dialog.tsx';
import { Statement } from './statement.tsx';
import styles from './wallet.module.css';
import { WithdrawDialog } from './withdraw-dialog.tsx';
import { Withdrawals } from './withdrawals.tsx';

const ID = 'wallet';

const tabs = [
  { key: 'entries', label: '账单' },
  { key: 'withdrawals', label: '提现记录' },
] as const;

interface PursesProps {
  wallet: Wallet;
  isWriter: boolean;
  hasEarnings: boolean;
  pay: Pay;
  withReauth: WithReauth;
}

/** What there is, and the ways in and out. */
function Purses({ wallet, isWriter, hasEarnings, pay, withReauth }: PursesProps) {
  const { balance, earnings, withdrawing } = wallet;
  const [open, setOpen] = useState<'recharge' | 'withdraw' | null>(null);

  function recharge(amount: number): void {
    setOpen(null);
    void pay({ kind: 'recharge', title: '余额充值', amount });
  }

  return (
    <div className={styles.purses}>
      <section className={styles.purse} aria-labelledby="balance">
        <h3 id="balance" className="ink-2 text-m regular">
          余额
        </h3>
        <strong className="amount">{formatYuan(balance)}</strong>
        <p className="ink-3 text-s pretty">用来买文章、专栏、会员，或打赏作者。</p>
        <Button look="primary" onClick={() => setOpen('recharge')}>
          充值
        </Button>
      </section>
      {hasEarnings ? (
        <section className={styles.purse} aria-labelledby="earnings">
          <h3 id="earnings" className="ink-2 text-m regular">
            收益
          </h3>
          <strong className="amount">{formatYuan(earnings)}</strong>
          <p className="ink-3 text-s pretty">
            {withdrawing === 0
              ? '售出与打赏所得，已扣平台抽成。'
              : `另有 ${formatYuan(withdrawing)} 正在提现。`}
            {earnings < 0 ? '退款扣回的部分，由之后的收益补上。' : null}
          </p>
          {isWriter ? <Button onClick={() => setOpen('withdraw')}>提现</Button> : null}
        </section>
      ) : null}
      <RechargeDialog
        open={open === 'recharge'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'recharge' : null)}
        onRecharge={recharge}
      />
      <WithdrawDialog
        open={open === 'withdraw'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'withdraw' : null)}
        earnings={earnings}
        withReauth={withReauth}
      />
    </div>
  );
}

const waiting = (
  <>
    <p className="sr" role="status">
      正在载入…
    </p>
    <div className={styles.purses} aria-hidden="true">
      <div className={styles.purse}>
        <Skeleton width="30" />
        <Skeleton width="50" height="l" />
        <Skeleton width="82" />
      </div>
    </div>
  </>
);

interface WalletPanelProps {
  isWriter: boolean;
  pay: Pay;
  withReauth: WithReauth;
}

/** One's money here: how much, where it came from and went. Loaded on demand. */
export function WalletPanel({ isWriter, pay, withReauth }: WalletPanelProps) {
  const { data, error, refetch } = useQuery(call(useApi(), 'GET core/user/wallet'));
  const [tab, setTab] = useState<(typeof tabs)[number]['key']>('entries');
  // Readers earn nothing; those who once wrote may have.
  const hasEarnings =
    isWriter ||
    (data !== undefined && (data.earnings !== 0 || data.months.some(({ earned }) => earned !== 0)));
  const body =
    data === undefined ? null : (
      <Statement months={data.months.map(({ month }) => month).reverse()} hasEarnings={hasEarnings} />
    );
  return (
    <section className={styles.panel} aria-labelledby={ID}>
      <h2 id={ID}>钱包</h2>
      {data === undefined ? (
        error === null ? (
          waiting
        ) : (
          <LoadFailed level="h3" error={error} onRetry={refetch} />
        )
      ) : (
        <>
          <Purses
            wallet={data}
            isWriter={isWriter}
            hasEarnings={hasEarnings}
            pay={pay}
            withReauth={withReauth}
          />
          <Months months={data.months} hasEarnings={hasEarnings} />
          {isWriter ? (
            <div>
              <Tabs id={ID} label="钱包的记录" tabs={tabs} selected={tab} onSelect={setTab} />
              <div {...tabPanel(ID, tab)}>{tab === 'entries' ? body : <Withdrawals />}</div>
            </div>
          ) : (
            <section aria-labelledby="statement">
              <h3 id="statement">账单</h3>
              {body}
            </section>
          )}
        </>
      )}
    </section>
  );
}
