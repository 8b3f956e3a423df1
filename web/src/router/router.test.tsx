import type { Client } from '@mozhan/contract/client.ts';
import { QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createMatcher } from './match.ts';
import { createRouter, failedView, notFoundView, type PageProps, type View } from './navigation.ts';
import { Link, Outlet, pathTo, RouterProvider, useHrefs, useRouter } from './router.tsx';
import { SignInLink } from './sign-in-link.tsx';

const routerAt = (view: View) => {
  const router = createRouter({
    match: createMatcher([]),
    context: { api: (() => {}) as unknown as Client, queryClient: new QueryClient() },
    basePath: '/blog',
    loadLayoutData: async () => {},
  });
  router.setView(view);
  return router;
};

test('builds a path from parameters, search and fragment', () => {
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

test('renders a link as an anchor with the base path', () => {
  const html = renderToStaticMarkup(
    <RouterProvider router={routerAt(notFoundView('/'))}>
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
  [
    'the page with the parameters of its URL',
    page,
    '/essay/detail/:id.html {&quot;id&quot;:&quot;1&quot;} s=x',
  ],
  ['not found', notFoundView('/nowhere'), 'missing'],
  ['deleted', notFoundView('/essay/detail/1.html', 410), 'gone'],
  ['an error', failedView('/home'), 'failed'],
])('the outlet renders %s', (_what, view, shown) => {
  const html = renderToStaticMarkup(
    <RouterProvider router={routerAt(view)}>
      <Outlet NotFound={({ gone }) => (gone ? 'gone' : 'missing')} Failed={() => 'failed'} />
    </RouterProvider>,
  );
  expect(html).toBe(shown);
});

const OutsideRouter = () => useRouter().basePath;

test('throws outside of the router', () => {
  expect(() => renderToStaticMarkup(<OutsideRouter />)).toThrow(
    'useRouter must be used inside RouterProvider',
  );
});

function Hrefs() {
  const { essayHref, userHref, tagHref } = useHrefs();
  return [essayHref({ id: '1' }), userHref('2', { tab: 'like', page: undefined }), tagHref('墨')].join(' ');
}

test.each([
  ['site', '/blog/essay/detail/1.html /blog/user/home/2.html?tab=like /blog/home?tag=%E5%A2%A8'],
  ['bare', '/blog/essay/mdetail/1.html /blog/user/mhome/2.html?tab=like /blog/home?tag=%E5%A2%A8'],
] as const)('links keep the layout %s', (layout, hrefs) => {
  const router = routerAt({ ...page, layout });
  expect(
    renderToStaticMarkup(
      <RouterProvider router={router}>
        <Hrefs />
      </RouterProvider>,
    ).replaceAll('&amp;', '&'),
  ).toBe(hrefs);
});

test.each([
  [undefined, '/essay/detail/1.html?s=x'],
  ['say', '/essay/detail/1.html?s=x#say'],
])('the sign-in link returns to the page and to the fragment %s', (hash, back) => {
  const html = renderToStaticMarkup(
    <RouterProvider router={routerAt(page)}>
      <SignInLink hash={hash}>登录</SignInLink>
    </RouterProvider>,
  );
  const [, href = ''] = /href="([^"]+)"/.exec(html) ?? [];
  expect(new URL(href, 'http://app').searchParams.get('redirect')).toBe(back);
  expect(html).toContain('rel="nofollow"');
});
