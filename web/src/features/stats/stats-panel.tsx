import type { Output } from '@mozhan/contract/client.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ChoiceGroup } from '#web/ui/field.tsx';
import { LoadingSkeleton, SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { Plot } from '#web/ui/plot.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { EssayTable } from './essay-table.tsx';
import { figures, formatExact } from './figures.ts';
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
/** Shares are too few for a plot. */
const plottedFigures = allFigures.filter(({ key }) => key !== 'shares');

function Totals({ total }: { total: Stats['total'] }) {
  return (
    <dl className={styles.totals} aria-label="合计">
      {[...allFigures, { key: 'essays', label: '文章', format: formatExact } as const].map(
        ({ key, label, format }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{format(total[key])}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Formats as 11 月 3 日. */
function formatDay(day: string): string {
  const [, month, date] = day.split('-').map(Number);
  return `${month} 月 ${date} 日`;
}

function Plots({ days }: { days: Stats['days'] }) {
  const [at, setAt] = useState<number | null>(null);
  const selectedIndex = at !== null && at < days.length ? at : null;
  return (
    <div className={styles.plots}>
      {plottedFigures.map(({ key, label, format }) => (
        <Plot
          key={key}
          label={label}
          points={days.map((figures) => ({ name: formatDay(figures.day), value: figures[key] }))}
          per="天"
          format={format}
          unit={key === 'income' ? 100 : 1}
          at={selectedIndex}
          onSelect={setAt}
        />
      ))}
    </div>
  );
}

/** The data of the plots as a table, newest day first. */
function DayTable({ days }: { days: Stats['days'] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure summary="每天的数字" onToggle={(event) => setOpen(event.currentTarget.open)}>
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
  <LoadingSkeleton className={styles.plots}>
    {plottedFigures.map(({ key }) => (
      <div key={key} className={styles.blank}>
        <SkeletonLines lines={['30', '50 m', '100 l']} />
      </div>
    ))}
  </LoadingSkeleton>
);

export function StatsPanel() {
  const [range, setRange] = useState('30');
  const query = useCall('GET core/user/stat', { days: Number(range) }, { placeholderData: keepPreviousData });
  return (
    <section className={styles.panel} aria-labelledby="stats">
      <header className={styles.head}>
        <h2 id="stats">数据</h2>
        <p>只有你看得到。按北京时间逐日统计，取消的点赞和收藏、退掉的款会减掉。</p>
      </header>
      {query.data === undefined ? null : <Totals total={query.data.total} />}
      <ChoiceGroup name="days" legend="最近" options={ranges} value={range} onChange={setRange} />
      <QueryContent query={query} level="h3" loading={waiting}>
        {({ days }) => (
          <div aria-busy={query.isPlaceholderData}>
            <Plots days={days} />
            <DayTable days={days} />
          </div>
        )}
      </QueryContent>
      <Sources days={Number(range)} />
      <EssayTable />
    </section>
  );
}
