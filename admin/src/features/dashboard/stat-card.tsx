import { DownloadOutlined, TableOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { Link } from '#admin/lib/navigation.tsx';
import { saveAsCsv } from '#admin/ui/export-button.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { Plot } from '#admin/ui/plot.tsx';
import { VisuallyHidden } from '#admin/ui/visually-hidden.tsx';
import styles from './dashboard.module.css';
import {
  columnsOf,
  describeChange,
  formatAxisOf,
  formatOf,
  type Measure,
  type SiteDay,
  type SiteStats,
} from './measures.ts';

/** More bars would be too thin. */
const MAX_BARS = 31;

const arrows = { up: '↑', down: '↓', same: '' };
const trendLabels = { up: '增加', down: '减少', same: '' };

function Change({ now, before, days }: { now: number; before: number; days: number }) {
  const change = describeChange(now, before);
  if (change === null) return null;
  const { trend, text } = change;
  return (
    <span className={styles.change} data-trend={trend}>
      较前 {days} 天 <span aria-hidden="true">{arrows[trend]}</span>
      <VisuallyHidden>{trendLabels[trend]}</VisuallyHidden> <b>{text}</b>
    </span>
  );
}

function Days({ measure, days }: { measure: Measure; days: readonly SiteDay[] }) {
  const columns = columnsOf(measure);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <section className={styles.days} tabIndex={0} aria-label={`${measure.title}，每天`}>
      <table>
        <thead>
          <tr>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((row) => (
            <tr key={row.day}>
              {columns.map(({ key, text, show = text }) => (
                <td key={key}>{show(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One measure as a plot or a table, with CSV export. */
export function StatCard({ measure, stats }: { measure: Measure; stats: SiteStats }) {
  const [isTable, setTable] = useState(false);
  const { title, parts } = measure;
  const { days, total, before } = stats;
  const [{ key }] = parts;
  return (
    <section className={styles.panel} aria-label={title}>
      <div className={styles.head}>
        <h2>
          {measure.to === undefined ? (
            title
          ) : (
            <Link className={styles.title} to={measure.to}>
              {title}
            </Link>
          )}
        </h2>
        <div className={styles.tools}>
          <IconButton
            label={`表格：${title}`}
            tip={isTable ? '看图' : '看表格'}
            size="small"
            icon={<TableOutlined aria-hidden />}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          />
          <IconButton
            label={`导出 CSV：${title}`}
            tip="导出 CSV"
            size="small"
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => saveAsCsv(title, columnsOf(measure), days)}
          />
        </div>
      </div>
      {isTable ? (
        <Days measure={measure} days={days} />
      ) : (
        <Plot
          isCard
          label={title}
          days={days.map(({ day }) => day)}
          shape={measure.isDiscrete && days.length <= MAX_BARS ? 'bars' : 'area'}
          format={formatOf(measure)}
          formatAxis={formatAxisOf(measure)}
          series={parts.map(({ key, ...part }) => ({ ...part, values: days.map((day) => day[key] ?? 0) }))}
          note={<Change now={total[key] ?? 0} before={before[key] ?? 0} days={days.length} />}
        />
      )}
    </section>
  );
}
