import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TOKENS } from './theme.ts';

test('diagrams have the colours of the site', () => {
  const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
  const full = (colour = '') => colour.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  const tokens = Object.keys(TOKENS).map((name) => {
    const [, light, dark] = new RegExp(`${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
    return [name, { light: full(light), dark: full(dark) }];
  });
  expect(TOKENS).toEqual(Object.fromEntries(tokens));
});
