/** Size of the SVG view box, which is stretched to the available space. */
export const PLOT_SIZE = 100;

/** Even after scaling, half of each is round too, for the middle grid line. */
const steps = [1, 2, 4, 6, 8, 10];

/** The next round number: 2, 4, 6, 8, 10, 20, 40 … */
export function roundUp(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.find((step) => step * power >= value) ?? 10);
}

export type Shape = 'area' | 'bars';

const roundTo2 = (value: number) => Number(value.toFixed(2));

/** Lines reach from edge to edge; bars are centred in slots of equal width. */
export function xOf(index: number, count: number, shape: Shape = 'area'): number {
  if (shape === 'bars') return roundTo2(((index + 0.5) / count) * PLOT_SIZE);
  return count < 2 ? PLOT_SIZE / 2 : roundTo2((index / (count - 1)) * PLOT_SIZE);
}

/** Zero is the lower edge; values are never negative. */
export const yOf = (value: number, top: number): number => roundTo2(PLOT_SIZE - (value / top) * PLOT_SIZE);

export function lineOf(values: readonly number[], top: number): string {
  const points = values.map((value, index) => `${xOf(index, values.length)} ${yOf(value, top)}`);
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

export const areaOf = (values: readonly number[], top: number): string =>
  values.length < 2 ? '' : `${lineOf(values, top)}V${PLOT_SIZE}H0Z`;

const BAR_WIDTH_RATIO = 0.7;

export function barOf(value: number, index: number, count: number, top: number): string {
  const half = roundTo2(((PLOT_SIZE / count) * BAR_WIDTH_RATIO) / 2);
  const x = xOf(index, count, 'bars');
  return value === 0
    ? ''
    : `M${roundTo2(x - half)} ${PLOT_SIZE}V${yOf(value, top)}H${roundTo2(x + half)}V${PLOT_SIZE}Z`;
}

export const barsOf = (values: readonly number[], top: number): string =>
  values.map((value, index) => barOf(value, index, values.length, top)).join('');

/** Index of the day nearest to a horizontal position (0 to 1). */
export function indexAt(fraction: number, count: number, shape: Shape = 'area'): number {
  const index = shape === 'bars' ? Math.floor(fraction * count) : Math.round(fraction * (count - 1));
  return Math.max(0, Math.min(count - 1, index));
}

/** Distinct indexes of the first, middle and last day. */
export const ticksOf = (count: number): number[] => [
  ...new Set([0, Math.floor((count - 1) / 2), count - 1].filter((index) => index >= 0 && index < count)),
];
