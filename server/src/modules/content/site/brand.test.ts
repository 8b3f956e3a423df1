import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contrastRatio, toHex, toOklch } from '@mozhan/contract/colour.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { brandStyle } from './brand.ts';

const colours = {
  coral: '#ff6968',
  yellow: '#ffd400',
  black: '#000000',
  white: '#ffffff',
  blue: '#0000ff',
  cyan: '#00ffff',
  grey: '#808080',
  green: '#52c41a',
  brown: '#5c3a21',
};

const themes = ['light', 'dark'] as const;
const tokens = await readFile(join(import.meta.dirname, '../../../../../web/src/styles/tokens.css'), 'utf8');

/** Reads a colour of tokens.css by theme, with its opacity. */
function token(name: string, theme: (typeof themes)[number]): { hex: string; alpha: number } {
  const [, ...pair] = new RegExp(`${name}: light-dark\\(#(\\w+), #(\\w+)\\)`).exec(tokens) ?? [];
  const value = pair[themes.indexOf(theme)] ?? '';
  const digits = value.length === 3 ? [...value].map((digit) => digit + digit).join('') : value;
  expect(digits).toMatch(/^[0-9a-f]{6,8}$/);
  return { hex: `#${digits.slice(0, 6)}`, alpha: Number.parseInt(digits.slice(6) || 'ff', 16) / 255 };
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

function surfacesOf(theme: (typeof themes)[number]): string[] {
  const plain = ['--bg', '--surface', '--sunken', '--raised', '--fill'].map((name) => token(name, theme).hex);
  const { hex, alpha } = token('--hover', theme);
  const over = channels(hex);
  const hovered = plain.map((under) => {
    const mixed = channels(under).map((value, i) => value * (1 - alpha) + (over[i] ?? 0) * alpha);
    return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
  });
  return [...plain, ...hovered];
}

function tonesOf(colour: string, theme: (typeof themes)[number]): Record<string, string> {
  const rules = brandStyle(colour)
    .split('\n')
    .filter((line) => line.includes(`[data-theme="${theme}"]{`))
    .flatMap((line) => line.slice(line.indexOf('{') + 1, -1).split(';'));
  return Object.fromEntries(rules.map((rule) => rule.split(':') as [string, string]));
}

const cases = Object.entries(colours).flatMap(([name, colour]) =>
  themes.map((theme) => [name, theme, tonesOf(colour, theme), surfacesOf(theme)] as const),
);

test.each(cases)(
  '%s on %s pages has enough contrast for text, buttons and lines',
  (_name, _theme, tones, surfaces) => {
    const tone = (name: string) => {
      expect(tones[`--${name}`]).toMatch(/^#[0-9a-f]{6}$/);
      return tones[`--${name}`] ?? '';
    };
    for (const surface of [...surfaces, tone('brand-tint')]) {
      expect(contrastRatio(tone('brand-ink'), surface)).toBeGreaterThanOrEqual(4.5);
    }
    for (const fill of ['brand-fill', 'brand-fill-hover']) {
      expect(contrastRatio(tone(fill), tone('on-brand'))).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(tone(fill), surfaces[1] ?? '')).toBeGreaterThanOrEqual(1.2);
    }
    expect(tone('brand-fill-hover')).not.toBe(tone('brand-fill'));
    expect(contrastRatio(tone('brand'), surfaces[1] ?? '')).toBeGreaterThanOrEqual(2);
    expect(tones['--brand-soft']).toBe(`${tone('brand')}38`);
    expect(tones['--brand-ink-soft']).toBe(`${tone('brand-ink')}73`);
  },
);

test('overrides every brand token for both themes', () => {
  const own = new Set([...tokens.matchAll(/^ {2}(--(?:brand|on-brand)[\w-]*):/gm)].map((match) => match[1]));
  expect(own.size).toBe(8);
  for (const theme of themes) expect(new Set(Object.keys(tonesOf('#1677ff', theme)))).toEqual(own);
  expect(brandStyle('#1677ff')).toContain('(prefers-color-scheme:dark){:root:root:not([data-theme]){');
});

test('does not change the text colours of strong contrast', () => {
  expect(tokens).toContain('[data-weak="on"]');
  for (const line of brandStyle('#1677ff').split('\n'))
    expect(line.includes('--brand-ink')).toBe(line.includes(':root:not([data-weak="on"])'));
});

test('keeps the hue, and the colour itself where the contrast allows it', () => {
  expect(tonesOf('#0000ff', 'light')).toMatchObject({ '--brand': '#0000ff', '--brand-fill': '#0000ff' });
  expect(tonesOf('#ffd400', 'light')).toMatchObject({ '--brand-fill': '#ffd400' });
  const hue = toOklch('#1677ff').h;
  for (const theme of themes) {
    const tones = tonesOf('#1677ff', theme);
    for (const name of ['--brand-ink', '--brand-fill'])
      expect(Math.abs(toOklch(tones[name] ?? '').h - hue)).toBeLessThan(0.05);
  }
});

test('converts colours to OKLCH and back without loss', () => {
  for (const colour of Object.values(colours)) expect(toHex(toOklch(colour))).toBe(colour);
  expect(contrastRatio('#000000', '#ffffff')).toBe(21);
});

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { basePath: '/blog' } });
});
afterAll(() => t.close());

test('serves the stylesheet as immutable', async () => {
  const response = await t.app.server.inject('/blog/brand.css?c=1677ff&t=1');
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(response.body).toBe(brandStyle('#1677ff'));
});

test.each(['', '?c=', '?c=1677FF', '?c=fff', '?c=1677ff0', '?c=%231677ff', '?c=}*{x', '?c=000000&c=ffffff'])(
  'rejects an invalid colour: %s',
  async (query) => {
    const response = await t.app.server.inject(`/blog/brand.css${query}`);
    expect(response.statusCode).toBe(404);
    expect(response.headers['cache-control']).not.toBe('public, max-age=31536000, immutable');
  },
);
