import { CheckCircleOutlined, WarningOutlined } from '@ant-design/icons';
import { formatYuan } from '@mozhan/contract/money.ts';
import { nameOfAccount } from '#admin/lib/ledger-labels.ts';
import type { ListOf } from '#admin/lib/paged.ts';
import styles from './ledger.module.css';

/** Whether all accounts sum to zero, and the balance of each. */
export function LedgerSummary({ ledger: { sum, accounts } }: { ledger: ListOf<'GET core/sys/ledger/'> }) {
  return (
    <section aria-label="合计">
      <p className={sum === 0 ? styles.even : styles.uneven} role={sum === 0 ? 'status' : 'alert'}>
        {sum === 0 ? <CheckCircleOutlined aria-hidden /> : <WarningOutlined aria-hidden />}
        {sum === 0 ? '账本平衡' : '账本不平'}
        <span>所有账户之和 {formatYuan(sum)}</span>
      </p>
      <dl className={styles.accounts}>
        {accounts.map((each) => (
          <div key={`${each.account}-${each.provider}`}>
            <dt>{nameOfAccount(each)}</dt>
            <dd>{formatYuan(each.balance)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
