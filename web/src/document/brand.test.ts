import { expect, test } from 'vitest';
import { brandHref } from './brand.ts';

test('another colour has a stylesheet, the site’s own needs none', () => {
  expect(brandHref('/blog', '#1677ff')).toBe('/blog/brand.css?c=1677ff');
  expect(brandHref('', '#ff6968')).toBeNull();
});
