import type { LedgerEntry } from '@mozhan/contract/ledger.ts';
import { formatSignedYuan, formatYuan } from '@mozhan/contract/money.ts';
import { nameOfLine } from '#admin/lib/ledger-labels.ts';
import styles from './entry-lines.module.css';

/** The lines of a ledger entry; lines of users include the balance after it. */
export function EntryLines({ entry: { id, title, lines } }: { entry: LedgerEntry }) {
  return (
    <table className={styles.lines} aria-label={`分录：${title}`}>
      <tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never change
          <tr key={`${id}-${index}`}>
            <th scope="row">{nameOfLine(line)}</th>
            <td className={line.amount < 0 ? styles.less : undefined}>{formatSignedYuan(line.amount)}</td>
            <td className={styles.after}>
              {line.user === null ? null : `余 ${formatYuan(line.balanceAfter)}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
