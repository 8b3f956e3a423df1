import type { Client } from '@mozhan/contract/client.ts';
import { QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createMatcher } from './match.ts';
import { createRouter, failedView, missingView, type PageProps, type View } from './navigation.ts';
import { Link, Outlet, pathTo, RouterProvider, usePlaces, useRouter } from './router.tsx';
import { SignInLink } from './sign-in-link.tsx';

const routerAt = (view: View) => {
  const router = createRouter({
    match: createMatcher([]),
    context: { api: (() => {}) as unknown as Client, queryClient: new QueryClient() },
    basePath: '/blog',
    prepare: async () => {},
  });
  router.show(view);
  return router;
};

test('a path is made of its parameters, its search and its place in the page', () => {
  expect(pathTo({ to: '/home' })).toBe('/home');
  expect(pathTo({ to: '/home', search: {} })).toBe('/home');
  expect(pathTo({ to: '/home', search: { tag: undefined, keyword: '' } })).toBe('/home?keyword=');
  expect(pathTo({ to: '/home', hash: '' })).toBe('/home');
  expect(
    pathTo({
      to: '/essay/detail/:id.html',
      params: { id: '../a/b?c#d' },
      search: { q: '墨 & 栈#1', from: '/home?x=1' },
      hash: 'comments',
    }),
  ).toBe('/essay/detail/..%2Fa%2Fb%3Fc%23d.html?q=%E5%A2%A8+%26+%E6%A0%88%231&from=%2Fhome%3Fx%3D1#comments');
});

test('a link is a plain anchor under the base path', () => {
  const html = renderToStaticMarkup(
    <RouterProvider router={routerAt(missingView('/'))}>
      <Link to="/user/home/:id.html" params={{ id: 7 }} search={{ tab: 'like' }} hash="list" target="_blank">
        林砚
      </Link>
    </RouterProvider>,
  );
  expect(html).toBe('<a target="_blank" href="/blog/user/home/7.html?tab=like#list">林砚</a>');
});

const Page = ({ path, params, search }: PageProps) => `${path} ${JSON.stringify(params)} ${search}`;
const page: View = {
  url: '/essay/detail/1.html?s=x',
  status: 200,
  layout: 'site',
  Page,
  path: '/essay/detail/:id.html',
  params: { id: '1' },
  search: new URLSearchParams('s=x'),
};

test.each([
  ['the page with what its address says', page, '/essay/detail/:id.html {&quot;id&quot;:&quot;1&quot;} s=x'],
  ['that there is nothing', missingView('/nowhere'), 'missing'],
  ['that it is gone', missingView('/essay/detail/1.html', 410), 'gone'],
  ['that it failed', failedView('/home'), 'failed'],
])('the outlet shows %s', (_what, view, shown) => {
  const html = renderToStaticMarkup(
    <RouterProvider router={routerAt(view)}>
      <Outlet NotFound={({ gone }) => (gone ? 'gone' : 'missing')} Failed={() => 'failed'} />
    </RouterProvider>,
  );
  expect(html).toBe(shown);
});

const Lost = () => useRouter().basePath;

test('outside of the router there is none', () => {
  expect(() => renderToStaticMarkup(<Lost />)).toThrow('outside of the router');
});

function Places() {
  const { essayHref, personHref, tagHref } = usePlaces();
  return [essayHref('1'), personHref('2', { tab: 'like', page: undefined }), tagHref('墨')].join(' ');
}

test.each([
  ['site', '/blog/essay/detail/1.html /blog/user/home/2.html?tab=like /blog/home?tag=%E5%A2%A8'],
  ['bare', '/blog/essay/mdetail/1.html /blog/user/mhome/2.html?tab=like /blog/home?tag=%E5%A2%A8'],
] as const)('from a page with the layout %s one comes to pages with the same', (layout, hrefs) => {
  const router = routerAt({ ...page, layout });
  expect(
    renderToStaticMarkup(
      <RouterProvider router={router}>
        <Places />
      </RouterProvider>,
    ).replaceAll('&amp;', '&'),
  ).toBe(hrefs);
});

test.each([
  [undefined, '/essay/detail/1.html?s=x'],
  ['say', '/essay/detail/1.html?s=x#say'],
])('whoever signs in comes back to the page, and to %s in it', (hash, back) => {
  const html = renderToStaticMarkup(
    <RouterProvider router={routerAt(page)}>
      <SignInLink hash={hash}>登录</SignInLink>
    </RouterProvider>,
  );
  const [, href = ''] = /href="([^"]+)"/.exec(html) ?? [];
  expect(new URL(href, 'http://app').searchParams.get('redirect')).toBe(back);
  expect(html).toContain('rel="nofollow"');
});
