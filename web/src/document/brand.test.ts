import { expect, test } from 'vitest';
import { brandStylesheetHref } from './brand.ts';

test('returns a stylesheet for a custom colour and null for the default colour', () => {
  expect(brandStylesheetHref('/blog', '#1677ff')).toBe('/blog/brand.css?c=1677ff');
  expect(brandStylesheetHref('', '#ff6968')).toBeNull();
});
