import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './plot.module.css';
import { computePlotShape, indexAt, PLOT_HEIGHT, PLOT_WIDTH } from './plot-shape.ts';

interface Point {
  name: string;
  value: number;
}

interface PlotProps {
  label: string;
  points: readonly Point[];
  per: '天' | '月';
  format: (value: number) => string;
  /** Rounding unit of the axis, such as 100 for fen displayed as yuan. */
  unit?: number;
  /** Index of the selected point; null shows the sum. */
  at: number | null;
  onSelect: (at: number | null) => void;
}

/** Shared by all plots whose points are selected by key. */
export const keyMoves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at - 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
};

/** Line chart over time; the pointer or the arrow keys select a point. */
export function Plot({ label, points, per, format, unit, at, onSelect }: PlotProps) {
  const { line, area, zero, top, bottom, xOf, yOf } = computePlotShape(
    points.map(({ value }) => value),
    unit,
  );
  const last = points.length - 1;
  const selected = at === null ? undefined : points[at];
  const sum = points.reduce((total, { value }) => total + value, 0);

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSelect(indexAt((event.clientX - left) / width, points.length));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = keyMoves[event.key];
    if (event.key === 'Escape') onSelect(null);
    if (move === undefined) return;
    event.preventDefault();
    onSelect(Math.max(0, Math.min(last, move(at ?? last, last))));
  }

  return (
    <figure className={styles.plot}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <small>{selected === undefined ? '合计' : selected.name}</small>
        <strong>{format(selected?.value ?? sum)}</strong>
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
          selected === undefined
            ? `${points.length} ${per === '月' ? '个月' : per}合计 ${format(sum)}，用方向键逐${per}看`
            : `${selected.name}：${format(selected.value)}`
        }
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onSelect(null)}
        onBlur={() => onSelect(null)}
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
        <svg viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.area} d={area} />
          <path className={styles.zero} d={`M0 ${zero}H${PLOT_WIDTH}`} />
          <path className={styles.line} d={line} />
          {at === null || selected === undefined ? null : (
            <>
              <path className={styles.rule} d={`M${xOf(at)} 0V${PLOT_HEIGHT}`} />
              {/* A zero-length line: its round caps are not stretched with the plot */}
              <path className={styles.dot} d={`M${xOf(at)} ${yOf(selected.value)}h0`} />
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
