import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Withdrawal } from '@mozhan/contract/wallet.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { ListRow, ListRowSkeletons } from '#web/ui/list-row.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './wallet.module.css';

const statusLabels: Record<Withdrawal['status'], { name: string; tone: Tone }> = {
  [WITHDRAWAL_STATUS.waiting]: { name: '待审批', tone: 'warn' },
  [WITHDRAWAL_STATUS.approved]: { name: '待打款', tone: 'info' },
  [WITHDRAWAL_STATUS.refused]: { name: '已拒绝', tone: 'bad' },
  [WITHDRAWAL_STATUS.paid]: { name: '已打款', tone: 'ok' },
};

function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { no, amount, account, realName, status, reason, tradeNo, createdAt, decidedAt, paidAt } = withdrawal;
  const { name, tone } = statusLabels[status];
  const processedAt = paidAt ?? decidedAt;
  return (
    <ListRow>
      <h3 className="regular">
        {account}
        {realName === '' ? null : <small>{realName}</small>}
      </h3>
      <p className={styles.change}>{formatYuan(amount)}</p>
      <p className={`row wraps ink-3 text-s numbers ${styles.facts}`}>
        <Badge tone={tone}>{name}</Badge>
        <span>
          <RelativeTime at={createdAt} /> 申请
        </span>
        {processedAt === null ? null : (
          <span>
            <RelativeTime at={processedAt} /> 处理
          </span>
        )}
        <span>单号 {no}</span>
        {tradeNo === '' ? null : <span>流水号 {tradeNo}</span>}
      </p>
      {reason === '' ? null : <p className={styles.reason}>拒绝理由：{reason}。钱已退回收益。</p>}
    </ListRow>
  );
}

export function Withdrawals() {
  return (
    <InfiniteList
      label="提现记录"
      query={useCallPages('GET core/user/withdraw')}
      renderItem={(withdrawal) => <WithdrawalRow withdrawal={withdrawal} />}
      skeleton={<ListRowSkeletons widths={['50']} />}
      empty={<EmptyList level="h3" title="还没有提现" text="收益够了，就可以申请提到自己的账户。" />}
    />
  );
}
