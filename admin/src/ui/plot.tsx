import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import {
  areaOf,
  barOf,
  barsOf,
  indexAt,
  lineOf,
  PLOT_SIZE,
  roundUp,
  type Shape,
  ticksOf,
  xOf,
  yOf,
} from '#admin/lib/plot-shape.ts';
import styles from './plot.module.css';

interface Series {
  name: string;
  /** One non-negative value per day. */
  values: readonly number[];
  tone: 'main' | 'good' | 'bad';
}

interface PlotProps {
  label: string;
  /** YYYY-MM-DD */
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Short format for the axis. */
  formatAxis?: (value: number) => string;
  /** Applies only to the first series. */
  shape?: Shape;
  /** Compact layout with large totals, for dashboards. */
  isCard?: boolean;
  /** Displayed below the totals of a card while no day is selected. */
  note?: ReactNode;
}

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at - 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
};

/** 11 月 3 日 */
function nameOfDay(day: string): string {
  const [, month, date] = day.split('-').map(Number);
  return `${month} 月 ${date} 日`;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

interface DrawingProps extends Pick<PlotProps, 'series'> {
  count: number;
  top: number;
  shape: Shape;
  at: number | null;
}

function Drawing({ series, count, top, shape, at }: DrawingProps) {
  return (
    <svg viewBox={`0 0 ${PLOT_SIZE} ${PLOT_SIZE}`} preserveAspectRatio="none" aria-hidden="true">
      {[0, PLOT_SIZE / 2, PLOT_SIZE].map((y) => (
        <path key={y} className={styles.grid} d={`M0 ${y}H${PLOT_SIZE}`} />
      ))}
      {series.map(({ name, values, tone }, index) =>
        shape === 'bars' && index === 0 ? (
          <g key={name} data-tone={tone} data-dim={at !== null}>
            <path className={styles.bars} d={barsOf(values, top)} />
            {at === null ? null : <path className={styles.bar} d={barOf(values[at] ?? 0, at, count, top)} />}
          </g>
        ) : (
          <g key={name} data-tone={tone}>
            {index === 0 ? <path className={styles.area} d={areaOf(values, top)} /> : null}
            <path className={styles.line} d={lineOf(values, top)} />
          </g>
        ),
      )}
      {at === null ? null : <path className={styles.rule} d={`M${xOf(at, count, shape)} 0V${PLOT_SIZE}`} />}
      {/* Zero-length lines: their round caps are not distorted by the stretched view box */}
      {at === null || shape === 'bars'
        ? null
        : series.map(({ name, values, tone }) => (
            <g key={name} data-tone={tone}>
              <path className={styles.dot} d={`M${xOf(at, count)} ${yOf(values[at] ?? 0, top)}h0`} />
            </g>
          ))}
    </svg>
  );
}

/** Chart of daily values. Pointer and arrow keys select a day, whose values replace the totals. */
export function Plot(props: PlotProps) {
  const { label, days, series, format, formatAxis = format, shape = 'area', isCard = false, note } = props;
  const [at, setAt] = useState<number | null>(null);
  const maxValue = Math.max(0, ...series.flatMap(({ values }) => values));
  const top = roundUp(maxValue);
  const last = days.length - 1;
  const day = at === null ? undefined : days[at];
  const periodLabel = day === undefined ? `${days.length} 天合计` : nameOfDay(day);
  const read = series.map(({ name, values, tone }) => ({
    name,
    tone,
    text: format(at === null ? sumOf(values) : (values[at] ?? 0)),
  }));

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(indexAt((event.clientX - left) / width, days.length, shape));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = moves[event.key];
    if (event.key === 'Escape') setAt(null);
    if (move === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, move(at ?? last, last))));
  }

  return (
    <figure className={styles.plot} data-card={isCard}>
      <figcaption className={styles.head}>
        {isCard ? null : <span className={styles.which}>{periodLabel}</span>}
        {read.map(({ name, tone, text }) => (
          <span key={name} className={styles.series} data-tone={tone}>
            {isCard && read.length === 1 ? null : (
              <span className={styles.name} data-tone={tone}>
                {name}{' '}
              </span>
            )}
            <strong>{text}</strong>
          </span>
        ))}
        {isCard ? (
          <span className={styles.below}>
            {periodLabel}
            {at === null ? note : null}
          </span>
        ) : null}
      </figcaption>
      <div className={styles.body}>
        <div className={styles.axis} aria-hidden="true">
          {maxValue === 0
            ? null
            : [top, top / 2, 0].map((value) => <span key={value}>{formatAxis(value)}</span>)}
        </div>
        <div
          className={styles.drawing}
          role="slider"
          tabIndex={0}
          aria-label={`${label}，按天`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={at ?? Math.max(0, last)}
          aria-valuetext={`${periodLabel}：${read.map(({ name, text }) => `${name} ${text}`).join('，')}`}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={() => setAt(null)}
          onBlur={() => setAt(null)}
          onKeyDown={onKeyDown}
        >
          {maxValue === 0 ? (
            <span className={styles.nothing}>这段时间没有数据</span>
          ) : (
            <Drawing series={series} count={days.length} top={top} shape={shape} at={at} />
          )}
        </div>
        <div className={styles.ticks} aria-hidden="true">
          {ticksOf(days.length).map((index) => (
            <span key={index}>{nameOfDay(days[index] ?? '')}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}
