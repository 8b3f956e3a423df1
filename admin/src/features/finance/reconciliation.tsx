import type { Reconciliation } from '@mozhan/contract/finance.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import { Tag } from 'antd';
import { nameOfProvider } from '#admin/lib/money-labels.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { Can } from '#admin/ui/can.tsx';
import { line, text, time } from '#admin/ui/columns.tsx';
import { ExpandedContent } from '#admin/ui/table-card.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import styles from './finance.module.css';

type Sums = Reconciliation['ledger'];

/** 3 笔，¥ 9.90；退 ¥ 1.00 */
const textOf = (sums: Sums | null): string => {
  if (sums === null) return '-';
  const { count, paid, refunded } = sums;
  return `${count} 笔，${formatYuan(paid)}${refunded === 0 ? '' : `；退 ${formatYuan(refunded)}`}`;
};

const resultOf = ({ agrees, differences }: Reconciliation): string => {
  if (agrees) return '一致';
  return differences.length === 0 ? '没有对上' : `${differences.length} 处不一致`;
};

/** A missing statement is a dash, not zero. */
const yuanOf = (sums: Sums | null, name: 'paid' | 'refunded'): string =>
  sums === null ? '-' : toYuan(sums[name]);

const sumColumns = (key: 'ledger' | 'orders' | 'statement', title: string): Column<Reconciliation>[] => [
  { key, title, text: (row) => textOf(row[key]) },
  {
    key: `${key}-paid`,
    title: `${title}：收（元）`,
    align: 'end',
    text: (row) => yuanOf(row[key], 'paid'),
    hidden: true,
  },
  {
    key: `${key}-refunded`,
    title: `${title}：退（元）`,
    align: 'end',
    text: (row) => yuanOf(row[key], 'refunded'),
    hidden: true,
  },
];

export const reconciliationColumns: Column<Reconciliation>[] = [
  text('day', '日期'),
  { key: 'provider', title: '支付方式', text: (row) => nameOfProvider(row.provider) },
  {
    key: 'result',
    title: '结果',
    text: resultOf,
    show: (row) => <Tag color={row.agrees ? 'success' : 'error'}>{resultOf(row)}</Tag>,
  },
  ...sumColumns('ledger', '账本'),
  ...sumColumns('orders', '订单'),
  ...sumColumns('statement', '对账单'),
  line('note', '说明'),
  time('createdAt', '对账时间', { hidden: true }),
];

export function ReconciliationDetail({ report }: { report: Reconciliation }) {
  const { ledger, orders, statement, note, differences } = report;
  const rows: [string, Sums | null][] = [
    ['账本', ledger],
    ['订单', orders],
    ['对账单', statement],
  ];
  return (
    <ExpandedContent>
      <table className={styles.sides} aria-label="三方数字">
        <thead>
          <tr>
            <th scope="col">来自</th>
            <th scope="col">笔数</th>
            <th scope="col">收</th>
            <th scope="col">退</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, sums]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{sums === null ? '-' : sums.count}</td>
              <td>{sums === null ? '-' : formatYuan(sums.paid)}</td>
              <td>{sums === null ? '-' : formatYuan(sums.refunded)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {note === '' ? null : <p>{note}</p>}
      {differences.length === 0 ? (
        <p>没有不一致的地方</p>
      ) : (
        <ul className={styles.differences} aria-label="不一致的地方">
          {differences.map(({ problem, text, no, orderId }) => (
            <li key={`${problem}-${no}`}>
              {text}
              {orderId === null ? null : (
                <Can permission="order:list">
                  {' '}
                  <Link to={`/order?keyword=${no}`} aria-label={`查看订单 ${no}`}>
                    查看订单
                  </Link>
                </Can>
              )}
            </li>
          ))}
        </ul>
      )}
    </ExpandedContent>
  );
}
