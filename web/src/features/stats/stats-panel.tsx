import type { Output } from '@mozhan/contract/client.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { LoadingSkeleton, SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { EssayTable } from './essay-table.tsx';
import { figures, formatExact } from './figures.ts';
import { Overview } from './overview.tsx';
import { Sources } from './sources.tsx';
import styles from './stats-panel.module.css';
import table from './table.module.css';

type Stats = Output<'GET core/user/stat'>;

const ranges = [
  { value: '7', label: '7 天' },
  { value: '30', label: '30 天' },
  { value: '90', label: '90 天' },
  { value: '365', label: '一年' },
];

const followers = { key: 'followers', label: '粉丝', format: formatExact } as const;
const allFigures = [...figures, followers];
function Totals({ total }: { total: Stats['total'] }) {
  return (
    <dl className={styles.totals} aria-label="累计">
      {[...allFigures, { key: 'essays', label: '文章', format: formatExact } as const].map(
        ({ key, label, format }) => (
          <div key={key}>
            <dt>累计{label}</dt>
            <dd>{format(total[key])}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The data of the plots as a table, newest day first. */
function DayTable({ days }: { days: Stats['days'] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure summary="看表格" onToggle={(event) => setOpen(event.currentTarget.open)}>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={`card ${table.scroll}`} aria-label="每天的数字" tabIndex={0}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">日期</th>
                {allFigures.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map((figures) => (
                <tr key={figures.day}>
                  <th scope="row" className={table.day}>
                    {figures.day}
                  </th>
                  {allFigures.map(({ key, format }) => (
                    <td key={key} className={figures[key] === 0 ? 'ink-3' : undefined}>
                      {format(figures[key])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
    </Disclosure>
  );
}

const waiting = (
  <LoadingSkeleton className={styles.blank}>
    <SkeletonLines lines={['100 l', '100 l', '50 m']} />
  </LoadingSkeleton>
);

export function StatsPanel() {
  const [range, setRange] = useState('30');
  const rangeName = ranges.find(({ value }) => value === range)?.label ?? '';
  const query = useCall('GET core/user/stat', { days: Number(range) }, { placeholderData: keepPreviousData });
  return (
    <section className={styles.panel} aria-labelledby="stats">
      <header className={styles.head}>
        <h2 id="stats">创作数据</h2>
        <ul className={styles.legend} aria-hidden="true">
          <li>近 {rangeName}</li>
          <li>前 {rangeName}</li>
        </ul>
        <div className={styles.segment} role="radiogroup" aria-label="最近">
          {ranges.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name="days"
                value={value}
                checked={value === range}
                onChange={() => setRange(value)}
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </header>
      <QueryContent query={query} level="h3" loading={waiting}>
        {(stats) => (
          <div className={styles.figures} aria-busy={query.isPlaceholderData}>
            <Overview stats={stats} />
            <DayTable days={stats.days} />
            <Totals total={stats.total} />
          </div>
        )}
      </QueryContent>
      <p className={styles.remark}>只有你看得到。按北京时间逐日统计，取消的点赞和收藏、退款都会扣除。</p>
      <Sources days={Number(range)} />
      <EssayTable />
    </section>
  );
}
