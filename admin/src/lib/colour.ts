type Triple = readonly [number, number, number];

function parse(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const format = (rgb: Triple): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** `share` of the second colour, 0 to 1. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [parse(from), parse(to)];
  const between = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * share;
  return format([between(0), between(1), between(2)]);
}

function toLinear(hex: string): Triple {
  const linear = (part: number) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = parse(hex);
  return [linear(red), linear(green), linear(blue)];
}

function luminance(hex: string): number {
  const [red, green, blue] = toLinear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG defines it, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Oklab, where lightness is what the eye sees. */
function toLab(hex: string): Triple {
  const [r, g, b] = toLinear(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Triple): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const part = (linear: number) => {
    const value = Math.min(1, Math.max(0, linear));
    return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  };
  return format([
    part(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    part(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    part(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]);
}

/** The same hue, lighter or darker. */
function lighten(hex: string, by: number): string {
  const [lightness, a, b] = toLab(hex);
  return fromLab([Math.min(1, Math.max(0, lightness + by)), a, b]);
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
