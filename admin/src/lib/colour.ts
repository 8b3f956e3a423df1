import { contrast, toHex, toOklch } from '@mozhan/contract/colour.ts';

/** `share` of the second colour, 0 to 1. */
export function mix(from: string, to: string, share: number): string {
  const part = (hex: string, index: number) => Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16);
  const between = (index: number) => part(from, index) + (part(to, index) - part(from, index)) * share;
  return `#${[0, 1, 2].map((index) => Math.round(between(index)).toString(16).padStart(2, '0')).join('')}`;
}

/** The same hue, lighter or darker. */
function lighten(hex: string, by: number): string {
  const colour = toOklch(hex);
  return toHex({ ...colour, l: colour.l + by });
}

/** A little above what WCAG AA asks of text, for the rounding of browsers. */
const READABLE = 4.6;

interface Ground {
  /** Where text stands, the worst case last. */
  surfaces: readonly [string, ...string[]];
  /** Darker or lighter: where a colour becomes readable there. */
  away: -1 | 1;
  /** How much of the colour its tint holds. */
  tint: number;
}

export const grounds = {
  light: { surfaces: ['#ffffff', '#f5f3ef'], away: -1, tint: 0.08 },
  dark: { surfaces: ['#1e1c19', '#2b2724'], away: 1, tint: 0.14 },
} as const satisfies Record<string, Ground>;

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

/** The tones of one hue: as given where it can be read, otherwise as near to it as reading allows. */
export function tonesOf(colour: string, scheme: keyof typeof grounds): Tones {
  const { surfaces, away, tint }: Ground = grounds[scheme];
  const [surface] = surfaces;
  const tintOf = (base: string) => mix(surface, base, tint);
  const isReadable = (base: string) =>
    [...surfaces, tintOf(base)].every((ground) => contrast(base, ground) >= READABLE);
  let base = colour;
  for (let step = 0; step <= 100 && !isReadable(base); step += 1) base = lighten(colour, (away * step) / 100);
  return {
    base,
    hover: lighten(base, away * 0.05),
    active: lighten(base, away * 0.1),
    tint: tintOf(base),
    tintHover: mix(surface, base, tint * 1.8),
    border: mix(surface, base, 0.36),
    borderHover: mix(surface, base, 0.6),
  };
}
