import { expect, expectTypeOf, test } from 'vitest';
import { createMatcher, fillPath, type LinkTarget, type Params } from './match.ts';

const match = createMatcher([
  { path: '/user/:name' },
  { path: '/user/home.html' },
  { path: '/essay/detail/:id.html' },
  { path: '/column/:column/:essay.html' },
]);

test('matches only the full path', () => {
  expect(match('/essay/detail/42.html')).toEqual({
    item: { path: '/essay/detail/:id.html' },
    params: { id: '42' },
  });
  expect(match('/essay/detail/42.html/more')).toBeUndefined();
  expect(match('/essay/detail/42xhtml')).toBeUndefined();
  expect(match('/essay/detail/.html')).toBeUndefined();
});

test('prefers a static path over one with parameters', () => {
  expect(match('/user/home.html')?.item.path).toBe('/user/home.html');
  expect(match('/user/other.html')?.item.path).toBe('/user/:name');
});

test('decodes parameters and rejects malformed encoding', () => {
  expect(match('/column/%E9%9A%8F%E7%AC%94/a%2Fb.html')?.params).toEqual({ column: '随笔', essay: 'a/b' });
  expect(match('/column/%E9/1.html')).toBeUndefined();
});

test('encodes parameters when filling a path', () => {
  expect(fillPath('/column/:column/:essay.html', { column: '随笔', essay: 7 })).toBe(
    '/column/%E9%9A%8F%E7%AC%94/7.html',
  );
  expect(fillPath('/home')).toBe('/home');
});

test('infers parameter names at compile time', () => {
  expectTypeOf<Params<'/essay/detail/:id.html'>>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<Params<'/column/:column/:essay.html'>>().toEqualTypeOf<{ column: string; essay: string }>();
  expectTypeOf<LinkTarget<'/home'>>().toEqualTypeOf<{ to: '/home'; params?: undefined }>();
});
