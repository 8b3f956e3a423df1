import type { StoredUser } from '@mozhan/client/session.ts';
import { expect, test } from 'vitest';
import { safeRedirect } from '#web/features/sign-in/redirect.ts';
import { type AccessRules, accessRulesFor, isDenied, isGuarded, markAccess, signInPath } from './access.ts';
import { match } from './routes.ts';

interface Node {
  access?: unknown;
  children?: readonly Node[];
}
const mark = (routes: readonly Node[], rules: AccessRules) => markAccess<Node>(routes, rules);

const reader: StoredUser = { id: '1', headImg: '', displayName: '林砚', curIdentity: 1, access: 'user' };

test('allows or denies a route by the rule that its key names', () => {
  const routes = [{ access: 'signedIn' }, { access: 'canWrite' }, {}];
  const denied = (rules: ReturnType<typeof accessRulesFor>) =>
    mark(routes, rules).map((route) => route.denied);
  expect(denied(accessRulesFor(null))).toEqual([true, true, false]);
  expect(denied(accessRulesFor(reader))).toEqual([false, true, false]);
  expect(denied(accessRulesFor({ ...reader, curIdentity: 2 }))).toEqual([false, false, false]);
  expect(accessRulesFor({ ...reader, access: 'admin' }).canAdmin).toBe(true);
});

test('denies a route with an unknown rule', () => {
  expect(mark([{ access: 'nobodyKnows' }], accessRulesFor(reader))[0]?.denied).toBe(true);
});

test('denies all children of a denied route', () => {
  const [top] = mark([{ access: 'no', children: [{ access: 'yes', children: [{}] }, {}] }], {
    yes: true,
    no: false,
  });
  expect(top?.denied).toBe(true);
  expect(top?.children.map((child) => child.denied)).toEqual([true, true]);
  expect(top?.children[0]?.children[0]?.denied).toBe(true);
});

test('denies a parent only when all of its children are denied', () => {
  const rules = { yes: true, no: false };
  expect(mark([{ children: [{ access: 'no' }, { access: 'no' }] }], rules)[0]?.denied).toBe(true);
  expect(mark([{ children: [{ access: 'no' }, { access: 'yes' }] }], rules)[0]?.denied).toBe(false);
  expect(mark([{ children: [{ children: [{ access: 'no' }] }] }], rules)[0]?.denied).toBe(true);
  expect(mark([{ children: [] }], rules)[0]?.denied).toBe(false);
});

test('throws when an access key is not a string', () => {
  for (const access of [true, 1, null, {}, () => true]) {
    expect(() => mark([{ children: [{ access }] }], {})).toThrow('configuration error');
  }
});

const writer: StoredUser = { ...reader, curIdentity: 2 };
const admin: StoredUser = { ...reader, access: 'admin' };

test.each([
  ['/account/center.html', [true, false, false, false]],
  ['/account/settings.html', [true, false, false, false]],
  ['/essay/create.html', [true, true, false, true]],
  ['/essay/edit.html', [true, true, false, false]],
])('%s is guarded; denied to visitor, reader, writer, administrator: %j', (path, denied) => {
  expect(isGuarded(path)).toBe(true);
  expect([null, reader, writer, admin].map((user) => isDenied(path, user))).toEqual(denied);
});

test.each([
  '/home',
  '/login.html',
  '/essay/:slug.html',
  '/essay/detail/:id.html',
  '/user/home/:id.html',
  '/cashier.html',
  '/exception',
  undefined,
])('%s is not guarded', (path) => {
  expect(isGuarded(path)).toBe(false);
  if (path !== undefined) expect(isDenied(path, null)).toBe(false);
});

/** The path to which the sign-in page redirects. */
function redirectAfterSignIn(path: string, basePath: string): string {
  const { pathname, searchParams } = new URL(`http://app${path}`);
  expect(match(pathname)?.item.path).toBe('/login.html');
  return safeRedirect(searchParams.get('redirect'), basePath);
}

test.each([
  '/account/center.html',
  '/account/settings.html?tab=privacy',
  '/essay/edit.html?id=1&from=%2Fhome%3Fa%3D1',
  '/account/center.html?q=%E5%A2%A8+a%26b%3Dc%23d',
  '/account/center.html?redirect=%2Flogin.html',
])('returns to %s after signing in', (url) => {
  for (const basePath of ['', '/blog']) expect(redirectAfterSignIn(signInPath(url), basePath)).toBe(url);
});
