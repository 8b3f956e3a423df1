/** Perceptually uniform colour: lightness 0–1, chroma from 0, hue in radians. */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

type RgbTriple = [number, number, number];

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const fromLinear = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;

function hexToLinear(hex: string): RgbTriple {
  const value = Number.parseInt(hex.slice(1), 16);
  const channel = (shift: number) => toLinear(((value >> shift) & 0xff) / 255);
  return [channel(16), channel(8), channel(0)];
}

/** The matrices here and in `toLinearRgb` are those that Björn Ottosson published for Oklab. */
export function toOklch(hex: string): Oklch {
  const [r, g, b] = hexToLinear(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: lightness, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function toLinearRgb({ l: lightness, c, h }: Oklch): RgbTriple {
  const [a, bb] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * bb) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * bb) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * bb) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const isInGamut = (rgb: RgbTriple): boolean => rgb.every((light) => light >= -0.0001 && light <= 1.0001);

/** Reduces the chroma of a colour outside sRGB; hue and lightness stay. */
export function toHex(colour: Oklch): string {
  const l = Math.min(1, Math.max(0, colour.l));
  let rgb = toLinearRgb({ ...colour, l });
  for (let c = colour.c; !isInGamut(rgb) && c > 0; c -= 0.002)
    rgb = toLinearRgb({ ...colour, l, c: Math.max(0, c) });
  return `#${rgb
    .map((light) => Math.round(fromLinear(Math.min(1, Math.max(0, light))) * 255))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

function luminance(hex: string): number {
  const [r, g, b] = hexToLinear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio, 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}
