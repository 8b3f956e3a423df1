import { formatPriceTag, formatYuan } from '@mozhan/contract/money.ts';
import type { Wallet } from '@mozhan/contract/wallet.ts';
import { useState } from 'react';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Plot } from '#web/ui/plot.tsx';
import styles from './monthly-figures.module.css';

const allFigures = [
  { key: 'earned', label: '收益' },
  { key: 'spent', label: '支出' },
  { key: 'recharged', label: '充值' },
] as const;

/** 2026-11 becomes 2026 年 11 月. */
export const formatMonth = (month: string): string => month.replace(/^(\d+)-0?(\d+)$/, '$1 年 $2 月');

interface MonthlyFiguresProps {
  months: Wallet['months'];
  hasEarnings: boolean;
}

/** The last twelve months: plots of figures that are not always zero, and a table of all. */
export function MonthlyFigures({ months, hasEarnings }: MonthlyFiguresProps) {
  const [at, setAt] = useState<number | null>(null);
  const selectedIndex = at !== null && at < months.length ? at : null;
  const figures = allFigures.filter(({ key }) => key !== 'earned' || hasEarnings);
  const nonZeroFigures = figures.filter(({ key }) => months.some((month) => month[key] !== 0));
  if (nonZeroFigures.length === 0) return null;
  return (
    <section className={styles.months} aria-labelledby="months">
      <h3 id="months">最近十二个月</h3>
      <div className={styles.plots}>
        {nonZeroFigures.map(({ key, label }) => (
          <Plot
            key={key}
            label={label}
            points={months.map((figures) => ({ name: formatMonth(figures.month), value: figures[key] }))}
            per="月"
            format={formatPriceTag}
            unit={100}
            at={selectedIndex}
            onSelect={setAt}
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
