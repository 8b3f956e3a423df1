import { expect, test } from 'vitest';
import { placeOf, stretchOf } from './place.ts';

const search = new URLSearchParams('kind=revision&sort=wordCount&order=1&page=6&id=1');

test('from one essay to the next, and back, within what was looked for', () => {
  expect(placeOf(search, '2')).toBe('/audit?kind=revision&sort=wordCount&order=1&page=6&id=2');
  expect(placeOf(search)).toBe('/audit?kind=revision&sort=wordCount&order=1&page=6');
  expect(placeOf(new URLSearchParams('id=1'))).toBe('/audit');
  expect(placeOf(new URLSearchParams(), '1')).toBe('/audit?id=1');
});

test('its neighbours are those of the same search, filters and order', () => {
  expect(stretchOf(search)).toEqual({
    kind: 'revision',
    sort: 'wordCount',
    order: 1,
    page: 2,
    pageSize: 100,
  });
  expect(stretchOf(new URLSearchParams('keyword=Rust&sort=other&id=1'))).toEqual({
    keyword: 'Rust',
    page: 1,
    pageSize: 100,
  });
});
