import { calls } from '@mozhan/contract/calls.ts';
import { expect, test } from 'vitest';
import { findRequests } from './requests.ts';

const { requests, unknown } = findRequests();
const named = (prefix: string) =>
  requests.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name);

test('covers every GET call of the contract or reports it as unknown', () => {
  const known = [...requests.map(({ name }) => name), ...unknown];
  const missing = calls
    .filter(({ method }) => method === 'GET')
    .filter(({ path }) => !known.some((name) => name.split(/[ :]/)[1] === path));
  expect(missing).toEqual([]);
});

test('requests a staff list in every order and with every filter', () => {
  const lists = named('GET core/sys/report/');
  expect(lists).toContain('GET core/sys/report/ sort=createdAt order=0');
  expect(lists).toContain('GET core/sys/report/ status=2');
  expect(lists).toContain('GET core/sys/report/ userId=…');
});

test('requests pages with existing ids', () => {
  const page = requests.find(({ name }) => name === 'page /user/home/:id.html');
  expect(page?.path({ userId: 'abc' })).toBe('/user/home/abc.html');
});
