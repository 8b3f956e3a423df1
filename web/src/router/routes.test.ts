import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillPath } from './match.ts';
import { match, routes } from './routes.ts';

const paths = routes.flatMap((route): string[] =>
  'children' in route ? route.children.map(({ path }) => path) : [route.path],
);
const parameterOf = (path: string) => /:(\w+)/.exec(path)?.[1];
const found = (url: string) => match(new URL(`http://app${url}`).pathname);

test('contains no path twice', () => {
  expect(new Set(paths).size).toBe(paths.length);
});

test.each(paths)('matches %s with any search and fragment', (path) => {
  const name = parameterOf(path);
  const url = fillPath(path, name === undefined ? undefined : { [name]: 'x1' });
  for (const rest of ['', '?a=1', '#top', '?redirect=/home#top', '?'])
    expect(found(url + rest)).toEqual({
      item: expect.objectContaining({ path }),
      params: name === undefined ? {} : { [name]: 'x1' },
    });
});

test.each(paths.filter((path) => parameterOf(path)))('%s accepts any text as its parameter', (path) => {
  const name = parameterOf(path) as string;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (value) => {
      const url = fillPath(path, { [name]: value });
      if (paths.includes(url)) return;
      expect(found(url)).toMatchObject({ item: { path }, params: { [name]: value } });
    }),
  );
});

describe('static paths take precedence', () => {
  test.each(['/essay/create.html', '/essay/edit.html'])('%s is not a category', (path) => {
    expect(found(path)?.item.path).toBe(path);
  });

  test.each([
    ['/essay/%63reate.html', { slug: 'create' }],
    ['/essay/Create.html', { slug: 'Create' }],
    ['/essay/create.html.html', { slug: 'create.html' }],
    ['/essay/detail.html', { slug: 'detail' }],
    ['/essay/%64etail%2F1.html', { slug: 'detail/1' }],
    ['/essay/x/../program.html', { slug: 'program' }],
  ])('%s matches the category route', (url, params) => {
    expect(found(url)).toEqual({ item: expect.objectContaining({ path: '/essay/:slug.html' }), params });
  });
});

test.each([
  '',
  '//',
  '//home',
  '/home/',
  '/HOME',
  '/home.html',
  '/hom%65',
  '/index',
  '/index.htm',
  '/about',
  '/about.html/',
  '/about.html;x=1',
  '/about.html%00',
  '/about%2Ehtml',
  '/essay/',
  '/essay/.html',
  '/essay/program',
  '/essay/program.HTML',
  '/essay/detail/',
  '/essay/detail/.html',
  '/essay/detail/1',
  '/essay/detail/1.html/2.html',
  '/essay/detail/1/2.html',
  '/user/home/1.htm',
  '/account',
  '/account/',
  '/admin/',
  '/api/core/site/',
  '/files/ab/cd.webp',
  '/__proto__',
  '/constructor.html',
])('%j matches no route', (path) => {
  expect(match(path)).toBeUndefined();
});

test.each(['%', '%E4', '%E4%B8', '%ZZ', '%u4e2d', '%C0%AF', '%ED%A0%80', 'a%'])(
  'the malformed parameter %s matches no route',
  (spelling) => {
    for (const path of ['/essay/', '/essay/detail/', '/essay/mdetail/', '/user/home/', '/user/mhome/'])
      expect(match(`${path}${spelling}.html`), path).toBeUndefined();
  },
);

test('redirects lead directly to pages', () => {
  const targets = paths.flatMap((path) => {
    const item = match(path)?.item;
    return item !== undefined && 'redirect' in item ? [item.redirect] : [];
  });
  expect(targets.length).toBeGreaterThan(0);
  for (const target of targets) expect(match(target)?.item, target).toHaveProperty('page');
});
