/** The plot's own units; the drawing is stretched to whatever room it has. */
export const SIDE = 100;

const steps = [1, 2, 5, 10];

/** The next round number: 1, 2, 5, 10, 20, 50 … */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.find((step) => step * power >= value) ?? 10);
}

const short = (value: number) => Number(value.toFixed(2));

export const xOf = (index: number, count: number): number =>
  count < 2 ? SIDE / 2 : short((index / (count - 1)) * SIDE);

/** Amounts are never below zero, which is the lower edge. */
export const yOf = (value: number, top: number): number => short(SIDE - (value / top) * SIDE);

/** A line through the values, day by day. */
export function lineOf(values: readonly number[], top: number): string {
  const points = values.map((value, index) => `${xOf(index, values.length)} ${yOf(value, top)}`);
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** The day nearest to a place on the plot, which goes from 0 to 1. */
export const indexAt = (place: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.round(place * (count - 1))));
