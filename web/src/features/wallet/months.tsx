import { formatTag, formatYuan } from '@mozhan/contract/money.ts';
import type { Wallet } from '@mozhan/contract/wallet.ts';
import { useState } from 'react';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Plot } from '#web/ui/plot.tsx';
import styles from './months.module.css';

const all = [
  { key: 'earned', label: '收益' },
  { key: 'spent', label: '支出' },
  { key: 'recharged', label: '充值' },
] as const;

/** 2026-11 → 2026 年 11 月 */
export const monthName = (month: string): string => month.replace(/^(\d+)-0?(\d+)$/, '$1 年 $2 月');

interface MonthsProps {
  months: Wallet['months'];
  hasEarnings: boolean;
}

/** The last twelve months: what moved is drawn, and underneath all of it to be read. */
export function Months({ months, hasEarnings }: MonthsProps) {
  const [at, setAt] = useState<number | null>(null);
  const shown = at !== null && at < months.length ? at : null;
  const figures = all.filter(({ key }) => key !== 'earned' || hasEarnings);
  const moved = figures.filter(({ key }) => months.some((month) => month[key] !== 0));
  if (moved.length === 0) return null;
  return (
    <section className={styles.months} aria-labelledby="months">
      <h3 id="months">最近十二个月</h3>
      <div className={styles.plots}>
        {moved.map(({ key, label }) => (
          <Plot
            key={key}
            label={label}
            points={months.map((figures) => ({ name: monthName(figures.month), value: figures[key] }))}
            per="月"
            format={formatTag}
            unit={100}
            at={shown}
            onRead={setAt}
          />
        ))}
      </div>
      <Disclosure summary="每月的数字">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">月份</th>
              {figures.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...months].reverse().map((month) => (
              <tr key={month.month}>
                <th scope="row">{month.month}</th>
                {figures.map(({ key }) => (
                  <td key={key} className={month[key] === 0 ? 'ink-3' : undefined}>
                    {formatYuan(month[key])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </section>
  );
}
