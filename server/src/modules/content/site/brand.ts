import { contrast, type Oklch, toHex, toOklch } from '@mozhan/contract/colour.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

/** Contrast that text needs to be read, a line to be noticed, a button to stand out from what it lies on. */
const READABLE = 4.5;
const NOTICEABLE = 2;
const DISTINCT = 1.2;

const STEP = 0.01;
const WHITE = '#ffffff';
/** From this lightness on a colour carries dark text. */
const PALE = 0.8;

/** Of the site's surfaces (tokens.css), what tones have to stand against. */
interface Theme {
  surface: string;
  /** Where contrast is least: the fill, with the pointer over it. */
  hardest: string;
  /** Towards what tones go that do not stand out. */
  away: -1 | 1;
  /** Text and buttons begin no darker than this. */
  inkFrom: number;
  fillFrom: number;
  tint: { l: number; c: number };
}
const light: Theme = {
  surface: WHITE,
  hardest: '#eae7e3',
  away: -1,
  inkFrom: 0,
  fillFrom: 0.2,
  tint: { l: 0.967, c: 0.016 },
};
const dark: Theme = {
  surface: '#1e1c19',
  hardest: '#36322e',
  away: 1,
  inkFrom: 0.75,
  fillFrom: 0.7,
  tint: { l: 0.27, c: 0.034 },
};

/** The same hue, lighter or darker until it will do; at the end of the way is white or black, which always does. */
function move(from: Oklch, by: -1 | 1, isEnough: (hex: string) => boolean): string {
  let { l } = from;
  while (l >= 0 && l <= 1 && !isEnough(toHex({ ...from, l }))) l += by * STEP;
  return toHex({ ...from, l });
}

/** A pale colour carries dark text; any other is darkened until it carries white. On dark pages text is always dark. */
function fillOf(brand: Oklch, theme: Theme): { fill: string; hover: string; onBrand: string } {
  const carriesDark = theme === dark || brand.l > PALE;
  const onBrand = carriesDark ? toHex({ l: 0.2, c: Math.min(brand.c, 0.05), h: brand.h }) : WHITE;
  const from = { ...brand, l: Math.max(brand.l, theme.fillFrom) };
  const fill = move(
    from,
    theme.away,
    (hex) => contrast(hex, onBrand) >= READABLE && contrast(hex, theme.surface) >= DISTINCT,
  );
  const tone = toOklch(fill);
  const hover = toHex({ ...tone, l: tone.l + (carriesDark && tone.l < PALE ? 0.05 : -0.05) });
  return { fill, hover, onBrand };
}

function tonesOf(brand: Oklch, theme: Theme): Record<string, string> {
  const mark = move(brand, theme.away, (hex) => contrast(hex, theme.surface) >= NOTICEABLE);
  const tint = toHex({ l: theme.tint.l, c: Math.min(brand.c, theme.tint.c), h: brand.h });
  const ink = move({ ...brand, l: Math.max(brand.l, theme.inkFrom) }, theme.away, (hex) =>
    [theme.hardest, tint].every((surface) => contrast(hex, surface) >= READABLE),
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

/** For readers who asked for strong contrast tokens.css has other text tones, which stay. */
const ROOT = ':root:root';
const ROOT_OF_INK = ':root:not([data-weak="on"])';

/** What tokens.css says for the site's own colour, said for another; a part of a page may have a theme of its own. */
export function brandStyle(colour: string): string {
  const brand = toOklch(colour);
  const tones = { light: Object.entries(tonesOf(brand, light)), dark: Object.entries(tonesOf(brand, dark)) };
  return [ROOT, ROOT_OF_INK]
    .flatMap((root) => {
      const rules = (theme: keyof typeof tones) =>
        tones[theme]
          .filter(([name]) => name.startsWith('--brand-ink') === (root === ROOT_OF_INK))
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

/** The content policy allows no style in a page, so the colour of the settings comes as a file. */
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
