import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

const row = { account: 'yunying', displayName: '运营', roleIds: ['a', 'b'], enabled: 1 };

test('only what differs is sent', () => {
  expect(changesOf(row, { ...row, displayName: '运营组' })).toEqual({ displayName: '运营组' });
  expect(changesOf(row, { ...row, roleIds: ['a'], enabled: 0 })).toEqual({ roleIds: ['a'], enabled: 0 });
  expect(changesOf({ logo: '/a.png' }, { logo: '' })).toEqual({ logo: '' });
});

test('the same values are no change', () => {
  expect(changesOf(row, { ...row, roleIds: ['a', 'b'] })).toEqual({});
});
