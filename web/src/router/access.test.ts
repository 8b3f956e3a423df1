import { expect, test } from 'vitest';
import { type AccessRules, markAccess, rulesFor } from './access.ts';

interface Node {
  access?: unknown;
  children?: readonly Node[];
}
const mark = (routes: readonly Node[], rules: AccessRules) => markAccess<Node>(routes, rules);

const reader = { id: '1', headImg: '', displayName: '林砚', curIdentity: 1, access: 'user' } as const;

test('a key names the rule that allows or denies', () => {
  const routes = [{ access: 'signedIn' }, { access: 'canWrite' }, {}];
  const denied = (rules: ReturnType<typeof rulesFor>) => mark(routes, rules).map((route) => route.denied);
  expect(denied(rulesFor(null))).toEqual([true, true, false]);
  expect(denied(rulesFor(reader))).toEqual([false, true, false]);
  expect(denied(rulesFor({ ...reader, curIdentity: 2 }))).toEqual([false, false, false]);
  expect(rulesFor({ ...reader, access: 'admin' }).canAdmin).toBe(true);
});

test('a rule that does not exist denies', () => {
  expect(mark([{ access: 'nobodyKnows' }], rulesFor(reader))[0]?.denied).toBe(true);
});

test('a denied route marks all below it', () => {
  const [top] = mark([{ access: 'no', children: [{ access: 'yes', children: [{}] }, {}] }], {
    yes: true,
    no: false,
  });
  expect(top?.denied).toBe(true);
  expect(top?.children.map((child) => child.denied)).toEqual([true, true]);
  expect(top?.children[0]?.children[0]?.denied).toBe(true);
});

test('a parent is denied when all of its children are, and only then', () => {
  const rules = { yes: true, no: false };
  expect(mark([{ children: [{ access: 'no' }, { access: 'no' }] }], rules)[0]?.denied).toBe(true);
  expect(mark([{ children: [{ access: 'no' }, { access: 'yes' }] }], rules)[0]?.denied).toBe(false);
  expect(mark([{ children: [{ children: [{ access: 'no' }] }] }], rules)[0]?.denied).toBe(true);
  expect(mark([{ children: [] }], rules)[0]?.denied).toBe(false);
});

test('anything but a text as a key is a mistake in the table', () => {
  for (const access of [true, 1, null, {}, () => true]) {
    expect(() => mark([{ children: [{ access }] }], {})).toThrow('configuration error');
  }
});
