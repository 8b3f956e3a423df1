import { computePlotShape, PLOT_HEIGHT, PLOT_WIDTH } from './plot-shape.ts';
import styles from './sparkline.module.css';

interface SparklineProps {
  /** What the line shows, such as 近 30 天的阅读. */
  label: string;
  values: readonly number[];
}

/** A small line without axes; the text gives its sum to those who do not see it. */
export function Sparkline({ label, values }: SparklineProps) {
  const { line, area } = computePlotShape(values);
  const sum = values.reduce((total, value) => total + value, 0);
  return (
    <svg
      className={styles.sparkline}
      data-empty={sum === 0 || undefined}
      viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}：${sum}`}
    >
      <path className={styles.area} d={area} />
      <path className={styles.line} d={line} />
    </svg>
  );
}
