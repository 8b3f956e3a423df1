import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { encodingFor } from './negotiate.ts';

const chosen = (header?: string) =>
  encodingFor({ headers: header === undefined ? {} : { 'accept-encoding': header } } as FastifyRequest);

test('chooses the best encoding that is accepted', () => {
  expect(chosen('gzip, deflate, br')).toBe('br');
  expect(chosen('GZIP;q=0.5')).toBe('gzip');
  expect(chosen('br ; q=0.000 , gzip ; q=1')).toBe('gzip');
  expect(chosen('br;q=0')).toBeUndefined();
  expect(chosen('identity')).toBeUndefined();
  expect(chosen()).toBeUndefined();
});

test('sends nothing packed to whoever sends a header of thousands of characters', () => {
  expect(chosen(`br${' '.repeat(15_000)};`)).toBeUndefined();
});
