import { expect, test } from 'vitest';
import { accessHint, accessOf, toAccess } from './access.ts';

test('one choice stands for price and membership', () => {
  const free = { price: 0, memberFree: false };
  const member = { price: 0, memberFree: true };
  const paid = { price: 600, memberFree: false };
  const paidExceptMembers = { price: 600, memberFree: true };
  expect([free, member, paid, paidExceptMembers].map(accessOf)).toEqual(['free', 'member', 'paid', 'paid']);
  expect(toAccess('free', paidExceptMembers, 600)).toEqual(free);
  expect(toAccess('member', paid, 600)).toEqual(member);
  expect(toAccess('paid', free, 600)).toEqual(paid);
  // Members of a members' essay become buyers, unless the writer says otherwise.
  expect(toAccess('paid', member, 600)).toEqual(paid);
  expect(toAccess('paid', paidExceptMembers, 900)).toEqual({ price: 900, memberFree: true });
});

test('the hint does not promise a preview where there is none', () => {
  expect(accessHint('free', 30)).toBe('所有人都能读到全文。');
  expect(accessHint('member', 30)).toBe('会员读全文，其他人只能试读。');
  expect(accessHint('paid', 0)).toBe('买下的人读全文，其他人只看得到标题和摘要。');
});
