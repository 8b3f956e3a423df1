import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chooseCover, coverKinds, planCovers } from './cover-choice.ts';

const essays = [...Array(60).keys()].map((index) => ({ id: `${index}`, title: `第 ${index} 篇`, cover: '' }));

test('neighbours differ in kind and hue, and every third entry has no picture', () => {
  const plan = [...planCovers(essays).values()];
  expect(plan.slice(0, 8).map((choice) => choice !== null)).toEqual([
    ...[true, false, true, true, false, true, true, false],
  ]);
  const shown = plan.filter((choice) => choice !== null);
  for (const [index, choice] of shown.entries()) {
    for (const before of shown.slice(Math.max(0, index - 2), index)) {
      expect(choice.kind).not.toBe(before.kind);
      expect(choice.hue).not.toBe(before.hue);
    }
  }
  expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(coverKinds));
});

test('entries with a picture of their own keep it', () => {
  const [first, ...others] = essays;
  const plan = planCovers([{ ...first, id: 'own', title: '有图', cover: '/files/ab/c.webp' }, ...others]);
  expect(plan.has('own')).toBe(false);
  expect(plan.get('1')).toEqual(chooseCover('第 1 篇'));
});

test('further pages of a list do not change the pictures of the first', () => {
  const all = planCovers(essays);
  for (const [id, choice] of planCovers(essays.slice(0, 10))) expect(all.get(id)).toEqual(choice);
});

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

test('the shapes of every hue are visible on its ground in both themes', () => {
  const css = readFileSync(new URL('../ui/landscape.module.css', import.meta.url), 'utf8');
  const blocks = [...css.matchAll(/\[data-hue="(\d+)"\] \{([^}]*)\}/g)];
  expect(blocks).toHaveLength(8);
  for (const [, hue, block = ''] of blocks) {
    const colour = (name: string, theme: 'light' | 'dark'): string => {
      const [, light = '', dark = ''] =
        new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(block) ?? [];
      return theme === 'light' ? light : dark;
    };
    const tones = { light: ['hill1', 'hill2', 'hill3'], dark: ['tone1', 'tone2', 'tone3'] };
    for (const theme of ['light', 'dark'] as const)
      for (const [index, minimum] of [1.15, 1.35, 1.9].entries())
        expect(
          contrast(colour(tones[theme][index] ?? '', theme), colour('ground', theme)),
          `${hue} ${theme} ${index}`,
        ).toBeGreaterThan(minimum);
  }
});
