import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { encodingFor } from './negotiate.ts';

const encodingOf = (header?: string) =>
  encodingFor({ headers: header === undefined ? {} : { 'accept-encoding': header } } as FastifyRequest);

test('chooses the best encoding that is accepted', () => {
  expect(encodingOf('gzip, deflate, br')).toBe('br');
  expect(encodingOf('GZIP;q=0.5')).toBe('gzip');
  expect(encodingOf('br ; q=0.000 , gzip ; q=1')).toBe('gzip');
  expect(encodingOf('br;q=0')).toBeUndefined();
  expect(encodingOf('identity')).toBeUndefined();
  expect(encodingOf()).toBeUndefined();
});

test('ignores an extremely long accept-encoding header', () => {
  expect(encodingOf(`br${' '.repeat(15_000)};`)).toBeUndefined();
});
