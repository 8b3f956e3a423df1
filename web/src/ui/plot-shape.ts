/** The plot's own units; the drawing is stretched to whatever room it has. */
export const WIDTH = 100;
export const HEIGHT = 100;

export interface Shape {
  /** The values, day by day. */
  line: string;
  /** What lies between them and zero. */
  area: string;
  /** Where zero is. */
  zero: number;
  /** The numbers at the upper and the lower edge. */
  top: number;
  bottom: number;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}

const steps = [1, 2, 5, 10];

/** The next round number: 1, 2, 5, 10, 20, 50 … */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.find((step) => step * power >= value) ?? 10);
}

const short = (value: number) => Number(value.toFixed(2));

/**
 * Where the values of as many days lie. Zero is always in sight; days on which more was taken back are below it.
 * The axis ends at a round number of units.
 */
export function shapeOf(values: readonly number[], unit = 1): Shape {
  const top = unit * roundUp(Math.max(0, ...values) / unit);
  const least = Math.min(0, ...values);
  const bottom = least === 0 ? 0 : -unit * roundUp(-least / unit);
  const xOf = (index: number) =>
    values.length < 2 ? WIDTH / 2 : short((index / (values.length - 1)) * WIDTH);
  const yOf = (value: number) => short(((top - value) / (top - bottom)) * HEIGHT);
  const points = values.map((value, index) => `${xOf(index)} ${yOf(value)}`);
  const line = points.length === 0 ? '' : `M${points.join('L')}`;
  const zero = yOf(0);
  const area = line === '' ? '' : `${line}L${xOf(values.length - 1)} ${zero}L${xOf(0)} ${zero}Z`;
  return { line, area, zero, top, bottom, xOf, yOf };
}

/** The day nearest to a place on the plot, which goes from 0 to 1. */
export const indexAt = (place: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.round(place * (count - 1))));
