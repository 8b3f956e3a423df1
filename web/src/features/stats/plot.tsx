import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './plot.module.css';
import { HEIGHT, indexAt, shapeOf, WIDTH } from './plot-shape.ts';

export interface Day {
  /** YYYY-MM-DD */
  day: string;
  value: number;
}

/** 11 月 3 日 */
const dayName = (day: string): string => {
  const [, month, date] = day.split('-').map(Number);
  return `${month} 月 ${date} 日`;
};

const signed = (value: number) => value.toLocaleString('zh-CN');

interface PlotProps {
  label: string;
  days: readonly Day[];
  /** The day that is read out; null: all of them together. */
  at: number | null;
  onRead: (at: number | null) => void;
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

/** A number day by day. Pointing at a day, or walking there with the arrow keys, reads it out. */
export function Plot({ label, days, at, onRead }: PlotProps) {
  const { line, area, zero, top, bottom, xOf, yOf } = shapeOf(days.map(({ value }) => value));
  const last = days.length - 1;
  const read = at === null ? undefined : days[at];
  const sum = days.reduce((total, { value }) => total + value, 0);

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onRead(indexAt((event.clientX - left) / width, days.length));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = moves[event.key];
    if (event.key === 'Escape') onRead(null);
    if (move === undefined) return;
    event.preventDefault();
    onRead(Math.max(0, Math.min(last, move(at ?? last, last))));
  }

  return (
    <figure className={styles.plot}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <small>{read === undefined ? '合计' : dayName(read.day)}</small>
        <strong>{signed(read?.value ?? sum)}</strong>
      </figcaption>
      <div
        className={styles.drawing}
        role="slider"
        tabIndex={0}
        aria-label={`${label}，按天`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={
          read === undefined
            ? `${days.length} 天合计 ${signed(sum)}，用方向键看每一天`
            : `${dayName(read.day)}：${signed(read.value)}`
        }
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onRead(null)}
        onBlur={() => onRead(null)}
        onKeyDown={onKeyDown}
      >
        <span className={styles.edge} aria-hidden="true">
          {signed(top)}
        </span>
        {bottom === 0 ? null : (
          <span className={styles.lower} aria-hidden="true">
            {signed(bottom)}
          </span>
        )}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.area} d={area} />
          <path className={styles.zero} d={`M0 ${zero}H${WIDTH}`} />
          <path className={styles.line} d={line} />
          {at === null || read === undefined ? null : (
            <>
              <path className={styles.rule} d={`M${xOf(at)} 0V${HEIGHT}`} />
              {/* A line without length, whose round ends are not stretched with the drawing */}
              <path className={styles.dot} d={`M${xOf(at)} ${yOf(read.value)}h0`} />
            </>
          )}
        </svg>
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{days[0] === undefined ? '' : dayName(days[0].day)}</span>
        <span>{days[last] === undefined ? '' : dayName(days[last].day)}</span>
      </div>
    </figure>
  );
}
