/** The plot's own units; the drawing is stretched to whatever room it has. */
export const SIDE = 100;

/** Half of each is a whole number too, for the line in the middle. */
const steps = [1, 2, 4, 6, 8, 10];

/** The next round number: 2, 4, 6, 8, 10, 20, 40 … */
export function roundUp(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.find((step) => step * power >= value) ?? 10);
}

export type Shape = 'area' | 'bars';

const short = (value: number) => Number(value.toFixed(2));

/** A line goes from edge to edge; each bar has a place of the same width. */
export function xOf(index: number, count: number, shape: Shape = 'area'): number {
  if (shape === 'bars') return short(((index + 0.5) / count) * SIDE);
  return count < 2 ? SIDE / 2 : short((index / (count - 1)) * SIDE);
}

/** Amounts are never below zero, which is the lower edge. */
export const yOf = (value: number, top: number): number => short(SIDE - (value / top) * SIDE);

/** A line through the values, day by day. */
export function lineOf(values: readonly number[], top: number): string {
  const points = values.map((value, index) => `${xOf(index, values.length)} ${yOf(value, top)}`);
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** What lies between that line and the lower edge. */
export const areaOf = (values: readonly number[], top: number): string =>
  values.length < 2 ? '' : `${lineOf(values, top)}V${SIDE}H0Z`;

/** A bar takes this part of its place. */
const FULL = 0.7;

export function barOf(value: number, index: number, count: number, top: number): string {
  const half = short(((SIDE / count) * FULL) / 2);
  const x = xOf(index, count, 'bars');
  return value === 0 ? '' : `M${short(x - half)} ${SIDE}V${yOf(value, top)}H${short(x + half)}V${SIDE}Z`;
}

export const barsOf = (values: readonly number[], top: number): string =>
  values.map((value, index) => barOf(value, index, values.length, top)).join('');

/** The day nearest to a place on the plot, which goes from 0 to 1. */
export function indexAt(place: number, count: number, shape: Shape = 'area'): number {
  const index = shape === 'bars' ? Math.floor(place * count) : Math.round(place * (count - 1));
  return Math.max(0, Math.min(count - 1, index));
}

/** The first, the middle and the last, as far as they are several. */
export const ticksOf = (count: number): number[] => [
  ...new Set([0, Math.floor((count - 1) / 2), count - 1].filter((index) => index >= 0 && index < count)),
];
