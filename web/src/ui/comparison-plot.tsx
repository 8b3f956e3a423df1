import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './comparison-plot.module.css';
import { keyMoves } from './plot.tsx';
import { computePlotShape, indexAt, PLOT_HEIGHT, PLOT_WIDTH } from './plot-shape.ts';

interface Point {
  name: string;
  value: number;
  /** The value of the same day in the period before. */
  before: number;
}

interface ComparisonPlotProps {
  label: string;
  points: readonly Point[];
  format: (value: number) => string;
  unit?: number;
  /** Index of the selected point; null shows the highest one. */
  at: number | null;
  onSelect: (at: number | null) => void;
}

const X_LABELS = 5;

/** A large line chart of one period, with the period before as a dashed line. */
export function ComparisonPlot({ label, points, format, unit, at, onSelect }: ComparisonPlotProps) {
  const values = points.map(({ value }) => value);
  const before = points.map((point) => point.before);
  const all = [...values, ...before];
  const { line, area, top, bottom, xOf, yOf } = computePlotShape(values, unit, all);
  const last = points.length - 1;
  const highest = Math.max(...values);
  const shownIndex = at ?? values.indexOf(highest);
  const shown = at === null && highest === 0 ? undefined : points[shownIndex];
  const middle = (top + bottom) / 2;

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

  const labels = Array.from({ length: X_LABELS }, (_, index) => Math.round((index / (X_LABELS - 1)) * last));
  return (
    <figure className={styles.plot}>
      <div className={styles.axis} aria-hidden="true">
        <span>{format(top)}</span>
        <span>{Number.isInteger(middle) ? format(middle) : ''}</span>
        <span>{format(bottom)}</span>
      </div>
      <div
        className={styles.drawing}
        role="slider"
        tabIndex={0}
        aria-label={`${label}，按天`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={shown === undefined ? '没有数字' : `${shown.name}：${format(shown.value)}`}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onSelect(null)}
        onBlur={() => onSelect(null)}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path
            className={styles.grid}
            d={`M0 0H${PLOT_WIDTH}M0 50H${PLOT_WIDTH}M0 ${PLOT_HEIGHT}H${PLOT_WIDTH}`}
          />
          <path className={styles.area} d={area} />
          <path className={styles.before} d={computePlotShape(before, unit, all).line} />
          <path className={styles.line} d={line} />
          {shown === undefined ? null : (
            // A zero-length line: its round caps are not stretched with the plot
            <path className={styles.dot} d={`M${xOf(shownIndex)} ${yOf(shown.value)}h0`} />
          )}
        </svg>
        {shown === undefined ? null : (
          <span
            className={styles.note}
            data-end={shownIndex > last / 2 || undefined}
            aria-hidden="true"
            style={{ left: `${xOf(shownIndex)}%`, top: `${yOf(shown.value)}%` }}
          >
            {shown.name}　{format(shown.value)}
          </span>
        )}
      </div>
      <div className={styles.days} aria-hidden="true">
        {labels.map((index) => (
          <span key={index}>{points[index]?.name}</span>
        ))}
      </div>
    </figure>
  );
}
