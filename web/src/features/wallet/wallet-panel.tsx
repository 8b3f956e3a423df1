import { formatYuan } from '@mozhan/contract/money.ts';
import type { Wallet } from '@mozhan/contract/wallet.ts';
import { useState } from 'react';
import { usePay } from '#web/features/paying/use-pay.ts';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingSkeleton, SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { MonthlyFigures } from './monthly-figures.tsx';
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

interface BalancesProps {
  wallet: Wallet;
  isWriter: boolean;
  hasEarnings: boolean;
}

function Balances({ wallet, isWriter, hasEarnings }: BalancesProps) {
  const pay = usePay();
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
        <Button variant="primary" onClick={() => setOpen('recharge')}>
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
              ? '售出与打赏所得，已扣除平台服务费。'
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
      />
    </div>
  );
}

const waiting = (
  <LoadingSkeleton className={styles.purses}>
    <div className={styles.purse}>
      <SkeletonLines lines={['30', '50 l', '82']} />
    </div>
  </LoadingSkeleton>
);

function WalletContent({ wallet, isWriter }: Pick<BalancesProps, 'wallet' | 'isWriter'>) {
  const [tab, setTab] = useState<(typeof tabs)[number]['key']>('entries');
  const { earnings, months } = wallet;
  // Readers earn nothing, but former writers may have earnings.
  const hasEarnings = isWriter || earnings !== 0 || months.some(({ earned }) => earned !== 0);
  const statement = (
    <Statement months={months.map(({ month }) => month).reverse()} hasEarnings={hasEarnings} />
  );
  return (
    <>
      <Balances wallet={wallet} isWriter={isWriter} hasEarnings={hasEarnings} />
      <MonthlyFigures months={months} hasEarnings={hasEarnings} />
      {isWriter ? (
        <div>
          <Tabs id={ID} label="钱包的记录" tabs={tabs} selected={tab} onSelect={setTab} />
          <div {...tabPanel(ID, tab)}>{tab === 'entries' ? statement : <Withdrawals />}</div>
        </div>
      ) : (
        <section aria-labelledby="statement">
          <h3 id="statement">账单</h3>
          {statement}
        </section>
      )}
    </>
  );
}

export function WalletPanel({ isWriter }: { isWriter: boolean }) {
  const query = useCall('GET core/user/wallet');
  return (
    <section className={styles.panel} aria-labelledby={ID}>
      <h2 id={ID}>钱包</h2>
      <QueryContent query={query} level="h3" loading={waiting}>
        {(wallet) => <WalletContent wallet={wallet} isWriter={isWriter} />}
      </QueryContent>
    </section>
  );
}
