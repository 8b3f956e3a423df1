import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { indexAt, lineOf, roundUp, SIDE, xOf, yOf } from '#admin/lib/plot-shape.ts';
import styles from './plot.module.css';

interface Series {
  name: string;
  /** One for each day, never below zero. */
  values: readonly number[];
  tone: 'main' | 'good' | 'bad';
}

interface PlotProps {
  label: string;
  /** YYYY-MM-DD */
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
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

/** Amounts day by day, on one scale. Pointing at a day, or walking there with the arrow keys, reads it out. */
export function Plot({ label, days, series, format }: PlotProps) {
  const [at, setAt] = useState<number | null>(null);
  const top = roundUp(Math.max(0, ...series.flatMap(({ values }) => values)));
  const last = days.length - 1;
  const day = at === null ? undefined : days[at];
  const which = day === undefined ? `${days.length} 天合计` : nameOfDay(day);
  const read = series.map(({ name, values, tone }) => ({
    name,
    tone,
    text: format(at === null ? sumOf(values) : (values[at] ?? 0)),
  }));

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(indexAt((event.clientX - left) / width, days.length));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = moves[event.key];
    if (event.key === 'Escape') setAt(null);
    if (move === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, move(at ?? last, last))));
  }

  return (
    <figure className={styles.plot}>
      <figcaption className={styles.head}>
        <span className={styles.which}>{which}</span>
        {read.map(({ name, tone, text }) => (
          <span key={name} className={styles.series} data-tone={tone}>
            {name} <strong>{text}</strong>
          </span>
        ))}
      </figcaption>
      <div
        className={styles.drawing}
        role="slider"
        tabIndex={0}
        aria-label={`${label}，按天`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at ?? Math.max(0, last)}
        aria-valuetext={`${which}：${read.map(({ name, text }) => `${name} ${text}`).join('，')}`}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={onKeyDown}
      >
        <span className={styles.top} aria-hidden="true">
          {format(top)}
        </span>
        <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, SIDE / 2, SIDE].map((y) => (
            <path key={y} className={styles.grid} d={`M0 ${y}H${SIDE}`} />
          ))}
          {series.map(({ name, values, tone }) => (
            <path key={name} className={styles.line} data-tone={tone} d={lineOf(values, top)} />
          ))}
          {at === null ? null : (
            <>
              <path className={styles.rule} d={`M${xOf(at, days.length)} 0V${SIDE}`} />
              {/* Lines without length, whose round ends are not stretched with the drawing */}
              {series.map(({ name, values, tone }) => (
                <path
                  key={name}
                  className={styles.dot}
                  data-tone={tone}
                  d={`M${xOf(at, days.length)} ${yOf(values[at] ?? 0, top)}h0`}
                />
              ))}
            </>
          )}
        </svg>
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{days[0] === undefined ? '' : nameOfDay(days[0])}</span>
        <span>{days[last] === undefined ? '' : nameOfDay(days[last])}</span>
      </div>
    </figure>
  );
}
