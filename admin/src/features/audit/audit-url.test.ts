import { expect, test } from 'vitest';
import { auditUrl, surroundingPageInput } from './audit-url.ts';

const search = new URLSearchParams('kind=revision&sort=wordCount&order=1&page=6&id=1');

test('keeps search, filters and order between essays and the queue', () => {
  expect(auditUrl(search, '2')).toBe('/audit?kind=revision&sort=wordCount&order=1&page=6&id=2');
  expect(auditUrl(search)).toBe('/audit?kind=revision&sort=wordCount&order=1&page=6');
  expect(auditUrl(new URLSearchParams('id=1'))).toBe('/audit');
  expect(auditUrl(new URLSearchParams(), '1')).toBe('/audit?id=1');
});

test('loads neighbours with the same search, filters and order', () => {
  expect(surroundingPageInput(search)).toEqual({
    kind: 'revision',
    sort: 'wordCount',
    order: 1,
    page: 2,
    pageSize: 100,
  });
  expect(surroundingPageInput(new URLSearchParams('keyword=Rust&sort=other&id=1'))).toEqual({
    keyword: 'Rust',
    page: 1,
    pageSize: 100,
  });
});
