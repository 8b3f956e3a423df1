import { type FakeTab, openFakeTab } from '@mozhan/client/fake-tab.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMatcher } from './match.ts';
import {
  type AnyRoute,
  createRouter,
  failedView,
  NotFoundError,
  notFoundView,
  Redirect,
} from './navigation.ts';

type Load = (props: { params: Record<string, string>; search: URLSearchParams }) => unknown;

const Page = () => null;

/** A site whose page code and data load at once, unless the test delays them. */
function createSite() {
  const codes = new Map<string, Promise<unknown>>();
  const loads = new Map<string, Load>();

  const page = (path: string): AnyRoute => ({
    path,
    file: `src/pages${path}.tsx`,
    layout: 'site',
    async page() {
      await codes.get(path);
      return { Page, load: async (_context: unknown, props: never) => loads.get(path)?.(props) };
    },
  });
  const table: AnyRoute[] = [
    { path: '/', redirect: '/home' },
    { ...page('/home'), staticMode: 'untouched' },
    page('/about.html'),
    page('/help.html'),
    page('/essay/detail/:id.html'),
  ];
  const loadLayoutData = vi.fn<() => Promise<unknown>>(async () => {});
  const router = createRouter({
    match: createMatcher(table),
    context: { api: (() => {}) as unknown as Client, queryClient: new QueryClient() },
    basePath: '/blog',
    loadLayoutData,
  });
  return {
    router,
    loadLayoutData,
    load: (path: string, load: Load) => void loads.set(path, load),
    /** Delays the code of a page. */
    delayCode(path: string) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      codes.set(path, promise);
      return { arrive: () => resolve(), fail: () => reject(new Error('no such file')) };
    },
  };
}

let tab: FakeTab;
beforeEach(() => {
  tab = openFakeTab('https://site.test/blog/home');
});
afterEach(() => {
  tab.close();
  vi.useRealTimers();
});

/** Starts at `/home` after hydration; views are committed to the document at once. */
async function open() {
  const site = createSite();
  const { router } = site;
  router.setView(await router.resolve('/home'));
  const stop = router.start();
  let lastView = router.view();
  router.subscribe(() => {
    if (router.view() === lastView) return;
    lastView = router.view();
    router.onCommitted();
  });
  const state = () => ({ at: tab.currentPath(), shows: router.view().url, pending: router.isPending() });
  return { ...site, stop, state };
}

describe('resolving a URL', () => {
  test('returns the page of its path with decoded parameters and search', async () => {
    const { router, load } = createSite();
    const onLoad = vi.fn();
    load('/essay/detail/:id.html', onLoad);
    const view = await router.resolve('/essay/detail/%E5%A2%A8%2F1.html?s=a%20b&s=c');
    expect(view).toMatchObject({
      url: '/essay/detail/%E5%A2%A8%2F1.html?s=a%20b&s=c',
      status: 200,
      layout: 'site',
      file: 'src/pages/essay/detail/:id.html.tsx',
      path: '/essay/detail/:id.html',
      params: { id: '墨/1' },
    });
    expect(view.Page).toBe(Page);
    expect(view.search.getAll('s')).toEqual(['a b', 'c']);
    expect(onLoad.mock.lastCall?.[0]).toEqual({
      path: '/essay/detail/:id.html',
      params: { id: '墨/1' },
      search: view.search,
    });
  });

  test.each([
    ['unknown', '/nowhere'],
    ['without the ending', '/about'],
    ['with more behind the ending', '/about.html/'],
    ['badly encoded', '/essay/detail/%E5%A2.html'],
    ['without its parameter', '/essay/detail/.html'],
    ['in capitals', '/ABOUT.HTML'],
    ['that looks like another host', '//about.html'],
    ['with the base path once more', '/blog/home'],
  ])('%s: returns not found but loads the layout data', async (_what, url) => {
    const { router, loadLayoutData } = createSite();
    expect(await router.resolve(url)).toEqual(notFoundView(url));
    expect(loadLayoutData).toHaveBeenCalledOnce();
    expect(router.hasRoute(url)).toBe(false);
  });

  test('throws a redirect that keeps the search', async () => {
    const { router } = createSite();
    await expect(router.resolve('/?from=mail')).rejects.toEqual(new Redirect('/home?from=mail'));
    expect(router.hasRoute('/?from=mail')).toBe(true);
  });

  test.each([
    [new NotFoundError(), 404],
    [new CallError('NOT_FOUND'), 404],
    [new CallError('GONE'), 410],
  ])('returns a not-found view when the data is missing (%s)', async (error, status) => {
    const { router, load } = createSite();
    load('/about.html', () => Promise.reject(error));
    expect(await router.resolve('/about.html')).toEqual(notFoundView('/about.html', status as 404 | 410));
  });

  test('throws when data, code or layout data cannot be loaded', async () => {
    const { router, load, delayCode, loadLayoutData } = createSite();
    load('/about.html', () => Promise.reject(new CallError('UNAVAILABLE')));
    await expect(router.resolve('/about.html')).rejects.toEqual(new CallError('UNAVAILABLE'));
    loadLayoutData.mockRejectedValue(new CallError('TIMEOUT'));
    await expect(router.resolve('/help.html')).rejects.toEqual(new CallError('TIMEOUT'));
    delayCode('/help.html').fail();
    await expect(router.resolve('/help.html')).rejects.toThrow('src/pages/help.html.tsx');
  });

  test('preloads without changing the view and ignores errors', async () => {
    const { router, load } = await open();
    const onLoad = vi.fn(() => Promise.reject(new CallError('UNAVAILABLE')));
    load('/about.html', onLoad);
    router.preload('/about.html');
    await tab.waitForNavigation();
    expect(onLoad).toHaveBeenCalledOnce();
    expect(router.view().url).toBe('/home');
  });
});

describe('opening a page', () => {
  test('adds or replaces a history entry', async () => {
    const { router, state } = await open();
    await router.navigate('/about.html?a=1#top');
    expect(state()).toEqual({ at: '/blog/about.html?a=1#top', shows: '/about.html?a=1', pending: false });
    await router.navigate('/help.html', { replace: true });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html']);
  });

  test('adds no entry for the displayed URL, but one for a fragment', async () => {
    const { router } = await open();
    await router.navigate('/home');
    expect(tab.urls()).toEqual(['/blog/home']);
    await router.navigate('/home#list');
    expect(tab.urls()).toEqual(['/blog/home', '/blog/home#list']);
  });

  test('scrolls to the top unless keepScroll is set', async () => {
    const { router } = await open();
    tab.scroll(300);
    await router.navigate('/home?page=2', { keepScroll: true });
    expect([tab.scrollY(), tab.focused()]).toEqual([300, undefined]);
    await router.navigate('/about.html');
    expect([tab.scrollY(), tab.focused()]).toEqual([0, 'main']);
  });

  test('is pending and changes nothing until code and data are loaded', async () => {
    const { router, delayCode, state } = await open();
    const code = delayCode('/about.html');
    const opened = router.navigate('/about.html');
    await tab.waitForNavigation();
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: true });
    code.arrive();
    await opened;
    expect(state()).toEqual({ at: '/blog/about.html', shows: '/about.html', pending: false });
  });

  test('follows a redirect with a single history entry', async () => {
    const { router, load } = await open();
    load('/about.html', () => Promise.reject(new Redirect('/help.html?from=about')));
    await router.navigate('/about.html#top');
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html?from=about']);
    await router.navigate('/?a=1');
    expect(tab.currentPath()).toBe('/blog/home?a=1');
  });

  test('loads a URL without a route as a new document under the base path', async () => {
    const { router, state } = await open();
    await router.navigate('/admin/#x');
    expect(tab.leftUrls).toEqual(['/blog/admin/#x']);
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: false });
  });

  test('shows an error at its URL when the data fails, and can be retried', async () => {
    const { router, load } = await open();
    load('/about.html', () => Promise.reject(new CallError('UNAVAILABLE')));
    await router.navigate('/about.html?a=1#top');
    expect(router.view()).toEqual(failedView('/about.html?a=1'));
    expect(tab.currentPath()).toBe('/blog/about.html?a=1#top');
    load('/about.html', () => {});
    await router.navigate('/about.html?a=1');
    expect(router.view().status).toBe(200);
    expect(tab.urls()).toEqual(['/blog/home', '/blog/about.html?a=1']);
  });

  test('loads a new document when the code cannot be fetched', async () => {
    const { router, delayCode, state } = await open();
    delayCode('/about.html').fail();
    await router.navigate('/about.html?a=1#top');
    expect(tab.leftUrls).toEqual(['/blog/about.html?a=1#top']);
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: true });
  });

  test('loads a new document when fetching the code times out', async () => {
    const { router, delayCode } = await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    delayCode('/about.html');
    const opened = router.navigate('/about.html');
    await vi.runAllTimersAsync();
    await opened;
    expect(tab.leftUrls).toEqual(['/blog/about.html']);
  });

  test('works the same for a link click', async () => {
    const { state, stop } = await open();
    tab.click(tab.linkTo('/blog/about.html#top'));
    await tab.waitForNavigation();
    expect(state()).toEqual({ at: '/blog/about.html#top', shows: '/about.html', pending: false });
    stop();
    expect(tab.click(tab.linkTo('/blog/help.html'))).toBe(true);
  });
});

describe('a navigation that is superseded by another', () => {
  test('is neither displayed nor recorded when it finishes', async () => {
    const { router, delayCode, state } = await open();
    const slow = delayCode('/about.html');
    const first = router.navigate('/about.html');
    await router.navigate('/help.html');
    slow.arrive();
    await first;
    expect(state()).toEqual({ at: '/blog/help.html', shows: '/help.html', pending: false });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html']);
  });

  test('does not follow its redirect', async () => {
    const { router, load, state } = await open();
    const slow = Promise.withResolvers<void>();
    load('/about.html', () => slow.promise);
    const first = router.navigate('/about.html');
    await router.navigate('/help.html');
    slow.reject(new Redirect('/essay/detail/1.html'));
    await first;
    expect(state()).toMatchObject({ at: '/blog/help.html', shows: '/help.html' });
  });

  test('does not load a new document when its code cannot be fetched', async () => {
    const { router, delayCode, state } = await open();
    const slow = delayCode('/about.html');
    const first = router.navigate('/about.html');
    await router.navigate('/help.html');
    slow.fail();
    await first;
    expect(tab.leftUrls).toEqual([]);
    expect(state()).toEqual({ at: '/blog/help.html', shows: '/help.html', pending: false });
  });

  test('is cancelled by Back', async () => {
    const { router, delayCode, state } = await open();
    await router.navigate('/help.html');
    const slow = delayCode('/about.html');
    const first = router.navigate('/about.html');
    await tab.back();
    slow.arrive();
    await first;
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: false });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html']);
  });

  test('by Back is cancelled when the reader goes forward again', async () => {
    const { router, delayCode, state } = await open();
    await router.navigate('/about.html');
    const slow = delayCode('/home');
    await tab.back();
    expect(state()).toEqual({ at: '/blog/home', shows: '/about.html', pending: true });
    await tab.forward();
    expect(state()).toEqual({ at: '/blog/about.html', shows: '/about.html', pending: false });
    slow.arrive();
    await tab.waitForNavigation();
    expect(state()).toEqual({ at: '/blog/about.html', shows: '/about.html', pending: false });
  });
});

describe('Back and Forward', () => {
  test('show the pages of their entries at their scroll positions', async () => {
    const { router, state } = await open();
    tab.scroll(100);
    await router.navigate('/essay/detail/1.html?s=x');
    tab.scroll(200);
    await router.navigate('/essay/detail/2.html');
    await tab.back();
    expect(state()).toMatchObject({ at: '/blog/essay/detail/1.html?s=x', shows: '/essay/detail/1.html?s=x' });
    expect(router.view().params).toEqual({ id: '1' });
    expect(tab.scrollY()).toBe(200);
    await tab.back();
    expect([router.view().url, tab.scrollY()]).toEqual(['/home', 100]);
    await tab.forward(2);
    expect([router.view().url, tab.scrollY()]).toEqual(['/essay/detail/2.html', 0]);
    expect(tab.urls()).toHaveLength(3);
  });

  test('replace the entry with the new URL when a page redirects now', async () => {
    const { router, load, state } = await open();
    await router.navigate('/about.html');
    await router.navigate('/help.html');
    load('/about.html', () => Promise.reject(new Redirect('/essay/detail/7.html')));
    await tab.back();
    expect(state()).toMatchObject({ at: '/blog/essay/detail/7.html', shows: '/essay/detail/7.html' });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/essay/detail/7.html', '/blog/help.html']);
  });

  test('show an error when a page fails to load and can continue from there', async () => {
    const { router, load } = await open();
    await router.navigate('/about.html');
    load('/home', () => Promise.reject(new CallError('UNAVAILABLE')));
    await tab.back();
    expect(router.view()).toEqual(failedView('/home'));
    await tab.forward();
    expect(router.view()).toMatchObject({ url: '/about.html', status: 200 });
  });

  test('show not found for a URL without a route', async () => {
    const { router } = await open();
    history.pushState(null, '', '/blog/nowhere');
    await router.navigate('/about.html');
    await tab.back();
    expect(router.view()).toEqual(notFoundView('/nowhere'));
  });
});

describe('a page that the server rendered', () => {
  test('is displayed without its code if its route is static', () => {
    const { router } = createSite();
    expect(router.createStaticView('/home?tag=a')).toMatchObject({
      url: '/home?tag=a',
      status: 200,
      path: '/home',
      params: {},
      staticMode: 'untouched',
    });
    for (const url of ['/about.html', '/', '/nowhere']) expect(router.createStaticView(url)).toBeUndefined();
  });

  test.each([
    ['removes its head elements when it is left before hydration', false, 0],
    ['leaves its head elements to React after hydration', true, 3],
  ])('%s', async (_what, isHydrated, leftInHead) => {
    const { router } = createSite();
    const view = router.createStaticView('/home');
    if (view !== undefined) router.setView(view);
    router.start();
    tab.fillHead(3);
    if (isHydrated) view?.onHydrated?.();
    const opened = router.navigate('/about.html');
    expect(tab.headElements()).toBe(3);
    await opened;
    expect(tab.headElements()).toBe(leftInHead);
  });
});

test('adds the parameters that the server ignored at start', async () => {
  tab.close();
  tab = openFakeTab('https://site.test/blog/about.html?ticket=a#top');
  const { router } = createSite();
  router.setView(await router.resolve('/about.html'));
  router.start();
  expect(router.view()).toMatchObject({ url: '/about.html?ticket=a', status: 200 });
  expect(router.view().search.get('ticket')).toBe('a');
});

test('notifies listeners of every change until they unsubscribe', async () => {
  const { router } = await open();
  const listener = vi.fn();
  const unsubscribe = router.subscribe(listener);
  await router.navigate('/about.html');
  expect(listener).toHaveBeenCalledTimes(2);
  unsubscribe();
  await router.navigate('/help.html');
  expect(listener).toHaveBeenCalledTimes(2);
});

test('adds the base path to hrefs', () => {
  expect(createSite().router.href('/home?a=1#b')).toBe('/blog/home?a=1#b');
});
