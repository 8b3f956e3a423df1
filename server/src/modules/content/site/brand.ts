import { contrastRatio, type Oklch, toHex, toOklch } from '@mozhan/contract/colour.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

/** Minimum contrast ratios of text, lines, and buttons against their background. */
const MIN_TEXT_CONTRAST = 4.5;
const MIN_LINE_CONTRAST = 2;
const MIN_BUTTON_CONTRAST = 1.2;

const STEP = 0.01;
const WHITE = '#ffffff';
/** Above this lightness a colour gets dark text. */
const PALE_LIGHTNESS = 0.8;

/** Surface colours of tokens.css that the derived colours must contrast with. */
interface Theme {
  surface: string;
  /** The surface with the lowest contrast: a hovered fill. */
  weakestSurface: string;
  /** Direction of lightness that increases the contrast. */
  direction: -1 | 1;
  /** Minimum lightness of text; `minFillLightness` is that of buttons. */
  minTextLightness: number;
  minFillLightness: number;
  tint: { l: number; c: number };
}
const light: Theme = {
  surface: WHITE,
  weakestSurface: '#eae7e3',
  direction: -1,
  minTextLightness: 0,
  minFillLightness: 0.2,
  tint: { l: 0.967, c: 0.016 },
};
const dark: Theme = {
  surface: '#1e1c19',
  weakestSurface: '#36322e',
  direction: 1,
  minTextLightness: 0.75,
  minFillLightness: 0.7,
  tint: { l: 0.27, c: 0.034 },
};

/** Changes the lightness until `isEnough` holds. White or black, where it ends, always has enough contrast. */
function adjustLightness(from: Oklch, by: -1 | 1, isEnough: (hex: string) => boolean): string {
  let { l } = from;
  while (l >= 0 && l <= 1 && !isEnough(toHex({ ...from, l }))) l += by * STEP;
  return toHex({ ...from, l });
}

/** Pale colours, and all colours of the dark theme, get dark text; others are darkened until white text is readable. */
function fillOf(brand: Oklch, theme: Theme): { fill: string; hover: string; onBrand: string } {
  const carriesDark = theme === dark || brand.l > PALE_LIGHTNESS;
  const onBrand = carriesDark ? toHex({ l: 0.2, c: Math.min(brand.c, 0.05), h: brand.h }) : WHITE;
  const from = { ...brand, l: Math.max(brand.l, theme.minFillLightness) };
  const fill = adjustLightness(
    from,
    theme.direction,
    (hex) =>
      contrastRatio(hex, onBrand) >= MIN_TEXT_CONTRAST &&
      contrastRatio(hex, theme.surface) >= MIN_BUTTON_CONTRAST,
  );
  const tone = toOklch(fill);
  const hover = toHex({ ...tone, l: tone.l + (carriesDark && tone.l < PALE_LIGHTNESS ? 0.05 : -0.05) });
  return { fill, hover, onBrand };
}

function tonesOf(brand: Oklch, theme: Theme): Record<string, string> {
  const mark = adjustLightness(
    brand,
    theme.direction,
    (hex) => contrastRatio(hex, theme.surface) >= MIN_LINE_CONTRAST,
  );
  const tint = toHex({ l: theme.tint.l, c: Math.min(brand.c, theme.tint.c), h: brand.h });
  const ink = adjustLightness(
    { ...brand, l: Math.max(brand.l, theme.minTextLightness) },
    theme.direction,
    (hex) =>
      [theme.weakestSurface, tint].every((surface) => contrastRatio(hex, surface) >= MIN_TEXT_CONTRAST),
  );
  const { fill, hover, onBrand } = fillOf(brand, theme);
  return {
    '--brand': mark,
    '--brand-soft': `${mark}38`,
    '--brand-ink': ink,
    '--brand-ink-soft': `${ink}73`,
    '--brand-fill': fill,
    '--brand-fill-hover': hover,
    '--on-brand': onBrand,
    '--brand-tint': tint,
  };
}

/** tokens.css has its own text colours for readers who chose strong contrast; the second selector keeps them. */
const ROOT = ':root:root';
const ROOT_FOR_TEXT = ':root:not([data-weak="on"])';

/** Overrides the brand colours of tokens.css, also for parts of a page with their own theme. */
export function brandStyle(colour: string): string {
  const brand = toOklch(colour);
  const tones = { light: Object.entries(tonesOf(brand, light)), dark: Object.entries(tonesOf(brand, dark)) };
  return [ROOT, ROOT_FOR_TEXT]
    .flatMap((root) => {
      const rules = (theme: keyof typeof tones) =>
        tones[theme]
          .filter(([name]) => name.startsWith('--brand-ink') === (root === ROOT_FOR_TEXT))
          .map(([name, value]) => `${name}:${value}`)
          .join(';');
      return [
        `${root},${root} [data-theme="light"]{${rules('light')}}`,
        `@media (prefers-color-scheme:dark){${root}:not([data-theme]){${rules('dark')}}}`,
        `${root}[data-theme="dark"],${root} [data-theme="dark"]{${rules('dark')}}`,
      ];
    })
    .join('\n');
}

/** The content security policy forbids inline styles, so the brand colour is served as a file. */
export function serveBrand(app: FastifyInstance, basePath: string): void {
  app.get<{ Querystring: { c?: unknown } }>(`${basePath}/brand.css`, async ({ query }, reply) => {
    const { c } = query;
    if (typeof c !== 'string' || !/^[0-9a-f]{6}$/.test(c)) throw new CallError('NOT_FOUND');
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(brandStyle(`#${c}`));
  });
}
