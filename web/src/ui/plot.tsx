import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './plot.module.css';
import { HEIGHT, indexAt, shapeOf, WIDTH } from './plot-shape.ts';

interface Point {
  /** The day or month, as one says it. */
  name: string;
  value: number;
}

interface PlotProps {
  label: string;
  points: readonly Point[];
  per: '天' | '月';
  /** How a value is written. */
  format: (value: number) => string;
  /** What is one on its axis: money is drawn in fen and read in yuan. */
  unit?: number;
  /** The point that is read out; null: all of them together. */
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

/** A number over time. Pointing at a place, or walking there with the arrow keys, reads it out. */
export function Plot({ label, points, per, format, unit, at, onRead }: PlotProps) {
  const { line, area, zero, top, bottom, xOf, yOf } = shapeOf(
    points.map(({ value }) => value),
    unit,
  );
  const last = points.length - 1;
  const read = at === null ? undefined : points[at];
  const sum = points.reduce((total, { value }) => total + value, 0);

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onRead(indexAt((event.clientX - left) / width, points.length));
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
        <small>{read === undefined ? '合计' : read.name}</small>
        <strong>{format(read?.value ?? sum)}</strong>
      </figcaption>
      <div
        className={styles.drawing}
        role="slider"
        tabIndex={0}
        aria-label={`${label}，按${per}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={
          read === undefined
            ? `${points.length} ${per === '月' ? '个月' : per}合计 ${format(sum)}，用方向键逐${per}看`
            : `${read.name}：${format(read.value)}`
        }
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onRead(null)}
        onBlur={() => onRead(null)}
        onKeyDown={onKeyDown}
      >
        <span className={styles.edge} aria-hidden="true">
          {format(top)}
        </span>
        {bottom === 0 ? null : (
          <span className={styles.lower} aria-hidden="true">
            {format(bottom)}
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
        <span>{points[0]?.name}</span>
        <span>{points[last]?.name}</span>
      </div>
    </figure>
  );
}
