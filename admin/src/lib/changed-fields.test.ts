import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

const row = { account: 'yunying', displayName: '运营', roleIds: ['a', 'b'], enabled: 1 };

test('returns only fields that differ', () => {
  expect(changedFields(row, { ...row, displayName: '运营组' })).toEqual({ displayName: '运营组' });
  expect(changedFields(row, { ...row, roleIds: ['a'], enabled: 0 })).toEqual({ roleIds: ['a'], enabled: 0 });
  expect(changedFields({ logo: '/a.png' }, { logo: '' })).toEqual({ logo: '' });
});

test('returns nothing for equal values', () => {
  expect(changedFields(row, { ...row, roleIds: ['a', 'b'] })).toEqual({});
});
