import { contrastRatio, toHex, toOklch } from '@mozhan/contract/colour.ts';

/** `share` of the second colour, 0 to 1. */
export function mixColours(from: string, to: string, share: number): string {
  const part = (hex: string, index: number) => Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16);
  const between = (index: number) => part(from, index) + (part(to, index) - part(from, index)) * share;
  return `#${[0, 1, 2].map((index) => Math.round(between(index)).toString(16).padStart(2, '0')).join('')}`;
}

function lighten(hex: string, by: number): string {
  const colour = toOklch(hex);
  return toHex({ ...colour, l: colour.l + by });
}

/** Slightly above WCAG AA (4.5), to allow for rounding in browsers. */
const MIN_CONTRAST = 4.6;

interface Background {
  /** Backgrounds of text, the one with the lowest contrast last. */
  surfaces: readonly [string, ...string[]];
  /** Whether a colour must become darker (-1) or lighter (1) to be readable. */
  direction: -1 | 1;
  /** Share of the colour in its tint. */
  tint: number;
}

export const backgrounds = {
  light: { surfaces: ['#ffffff', '#f5f3ef'], direction: -1, tint: 0.08 },
  dark: { surfaces: ['#1e1c19', '#2b2724'], direction: 1, tint: 0.14 },
} as const satisfies Record<string, Background>;

export interface Tones {
  /** For text, icons and filled controls; readable on every surface and on its own tint. */
  base: string;
  hover: string;
  active: string;
  tint: string;
  tintHover: string;
  border: string;
  borderHover: string;
}

/** Tones of a colour; its lightness changes only as far as readability requires. */
export function tonesOf(colour: string, scheme: keyof typeof backgrounds): Tones {
  const { surfaces, direction, tint }: Background = backgrounds[scheme];
  const [surface] = surfaces;
  const tintOf = (base: string) => mixColours(surface, base, tint);
  const isReadable = (base: string) =>
    [...surfaces, tintOf(base)].every((background) => contrastRatio(base, background) >= MIN_CONTRAST);
  let base = colour;
  for (let step = 0; step <= 100 && !isReadable(base); step += 1)
    base = lighten(colour, (direction * step) / 100);
  return {
    base,
    hover: lighten(base, direction * 0.05),
    active: lighten(base, direction * 0.1),
    tint: tintOf(base),
    tintHover: mixColours(surface, base, tint * 1.8),
    border: mixColours(surface, base, 0.36),
    borderHover: mixColours(surface, base, 0.6),
  };
}
