/** Size of the SVG view box; the plot is stretched to the available space. */
export const PLOT_WIDTH = 100;
export const PLOT_HEIGHT = 100;

export interface PlotShape {
  line: string;
  /** SVG path of the area between the values and zero. */
  area: string;
  zero: number;
  /** Values at the upper and lower edge. */
  top: number;
  bottom: number;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}

const steps = [1, 2, 5, 10];

/** Rounds up to 1, 2, 5, 10, 20, 50 … */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.find((step) => step * power >= value) ?? 10);
}

const roundTo2 = (value: number) => Number(value.toFixed(2));

/** Computes the paths. The axis always includes zero and ends at a round multiple of `unit`; `scaledTo` has all values of a plot with several lines. */
export function computePlotShape(values: readonly number[], unit = 1, scaledTo = values): PlotShape {
  const top = unit * roundUp(Math.max(0, ...scaledTo) / unit);
  const least = Math.min(0, ...scaledTo);
  const bottom = least === 0 ? 0 : -unit * roundUp(-least / unit);
  const xOf = (index: number) =>
    values.length < 2 ? PLOT_WIDTH / 2 : roundTo2((index / (values.length - 1)) * PLOT_WIDTH);
  const yOf = (value: number) => roundTo2(((top - value) / (top - bottom)) * PLOT_HEIGHT);
  const points = values.map((value, index) => `${xOf(index)} ${yOf(value)}`);
  const line = points.length === 0 ? '' : `M${points.join('L')}`;
  const zero = yOf(0);
  const area = line === '' ? '' : `${line}L${xOf(values.length - 1)} ${zero}L${xOf(0)} ${zero}Z`;
  return { line, area, zero, top, bottom, xOf, yOf };
}

/** The index nearest to a position from 0 to 1. */
export const indexAt = (position: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.round(position * (count - 1))));
