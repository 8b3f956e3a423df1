import { openTab, type Tab } from '@mozhan/client/tab-fixture.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMatcher } from './match.ts';
import { type AnyRoute, createRouter, failedView, missingView, NotFound, Redirect } from './navigation.ts';

type Load = (props: { params: Record<string, string>; search: URLSearchParams }) => unknown;

const Page = () => null;

/** Pages whose code and data come when the test says so; without a word from it, at once. */
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
    { ...page('/home'), still: 'untouched' },
    page('/about.html'),
    page('/help.html'),
    page('/essay/detail/:id.html'),
  ];
  const prepare = vi.fn<() => Promise<unknown>>(async () => {});
  const router = createRouter({
    match: createMatcher(table),
    context: { api: (() => {}) as unknown as Client, queryClient: new QueryClient() },
    basePath: '/blog',
    prepare,
  });
  return {
    router,
    prepare,
    load: (path: string, load: Load) => void loads.set(path, load),
    /** Holds the code of a page back. */
    hold(path: string) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      codes.set(path, promise);
      return { arrive: () => resolve(), fail: () => reject(new Error('no such file')) };
    },
  };
}

let tab: Tab;
beforeEach(() => {
  tab = openTab('https://site.test/blog/home');
});
afterEach(() => {
  tab.close();
  vi.useRealTimers();
});

/** At `/home`, taken over from the server; what is shown is in the document at once. */
async function open() {
  const site = createSite();
  const { router } = site;
  router.show(await router.resolve('/home'));
  const stop = router.start();
  let shown = router.view();
  router.subscribe(() => {
    if (router.view() === shown) return;
    shown = router.view();
    router.committed();
  });
  const state = () => ({ at: tab.here(), shows: router.view().url, pending: router.pending() });
  return { ...site, stop, state };
}

describe('an address is resolved', () => {
  test('to the page of its path, with decoded parameters and its search', async () => {
    const { router, load } = createSite();
    const asked = vi.fn();
    load('/essay/detail/:id.html', asked);
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
    expect(asked.mock.lastCall?.[0]).toEqual({
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
  ])('%s: to nothing, but with what the frame of the page needs', async (_what, url) => {
    const { router, prepare } = createSite();
    expect(await router.resolve(url)).toEqual(missingView(url));
    expect(prepare).toHaveBeenCalledOnce();
    expect(router.knows(url)).toBe(false);
  });

  test('of a redirect, to a redirect that keeps the search', async () => {
    const { router } = createSite();
    await expect(router.resolve('/?from=mail')).rejects.toEqual(new Redirect('/home?from=mail'));
    expect(router.knows('/?from=mail')).toBe(true);
  });

  test.each([
    [new NotFound(), 404],
    [new CallError('NOT_FOUND'), 404],
    [new CallError('GONE'), 410],
  ])('whose data is missing (%s): to a page that says so', async (error, status) => {
    const { router, load } = createSite();
    load('/about.html', () => Promise.reject(error));
    expect(await router.resolve('/about.html')).toEqual(missingView('/about.html', status as 404 | 410));
  });

  test('whose data, code or frame cannot be loaded: to an error', async () => {
    const { router, load, hold, prepare } = createSite();
    load('/about.html', () => Promise.reject(new CallError('UNAVAILABLE')));
    await expect(router.resolve('/about.html')).rejects.toEqual(new CallError('UNAVAILABLE'));
    prepare.mockRejectedValue(new CallError('TIMEOUT'));
    await expect(router.resolve('/help.html')).rejects.toEqual(new CallError('TIMEOUT'));
    hold('/help.html').fail();
    await expect(router.resolve('/help.html')).rejects.toThrow('src/pages/help.html.tsx');
  });

  test('ahead of a click, without showing anything and without complaint', async () => {
    const { router, load } = await open();
    const asked = vi.fn(() => Promise.reject(new CallError('UNAVAILABLE')));
    load('/about.html', asked);
    router.preload('/about.html');
    await tab.settle();
    expect(asked).toHaveBeenCalledOnce();
    expect(router.view().url).toBe('/home');
  });
});

describe('opening a page', () => {
  test('adds an entry, or replaces the one there is', async () => {
    const { router, state } = await open();
    await router.navigate('/about.html?a=1#top');
    expect(state()).toEqual({ at: '/blog/about.html?a=1#top', shows: '/about.html?a=1', pending: false });
    await router.navigate('/help.html', { replace: true });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html']);
  });

  test('that is shown already adds none, but a place in it does', async () => {
    const { router } = await open();
    await router.navigate('/home');
    expect(tab.urls()).toEqual(['/blog/home']);
    await router.navigate('/home#list');
    expect(tab.urls()).toEqual(['/blog/home', '/blog/home#list']);
  });

  test('begins at its top, unless the place is to be kept', async () => {
    const { router } = await open();
    tab.scroll(300);
    await router.navigate('/home?page=2', { keep: true });
    expect([tab.scrollY(), tab.focused()]).toEqual([300, undefined]);
    await router.navigate('/about.html');
    expect([tab.scrollY(), tab.focused()]).toEqual([0, 'main']);
  });

  test('is pending until its code and data have come, and changes nothing before', async () => {
    const { router, hold, state } = await open();
    const code = hold('/about.html');
    const opened = router.navigate('/about.html');
    await tab.settle();
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: true });
    code.arrive();
    await opened;
    expect(state()).toEqual({ at: '/blog/about.html', shows: '/about.html', pending: false });
  });

  test('that leads elsewhere ends there, as one entry', async () => {
    const { router, load } = await open();
    load('/about.html', () => Promise.reject(new Redirect('/help.html?from=about')));
    await router.navigate('/about.html#top');
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html?from=about']);
    await router.navigate('/?a=1');
    expect(tab.here()).toBe('/blog/home?a=1');
  });

  test('that is not in the table leaves the document, under the base path', async () => {
    const { router, state } = await open();
    await router.navigate('/admin/#x');
    expect(tab.left).toEqual(['/blog/admin/#x']);
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: false });
  });

  test('whose data fails to load says so at its address, and can be tried again', async () => {
    const { router, load } = await open();
    load('/about.html', () => Promise.reject(new CallError('UNAVAILABLE')));
    await router.navigate('/about.html?a=1#top');
    expect(router.view()).toEqual(failedView('/about.html?a=1'));
    expect(tab.here()).toBe('/blog/about.html?a=1#top');
    load('/about.html', () => {});
    await router.navigate('/about.html?a=1');
    expect(router.view().status).toBe(200);
    expect(tab.urls()).toEqual(['/blog/home', '/blog/about.html?a=1']);
  });

  test('whose code is gone is left to the browser, which fetches the new version', async () => {
    const { router, hold, state } = await open();
    hold('/about.html').fail();
    await router.navigate('/about.html?a=1#top');
    expect(tab.left).toEqual(['/blog/about.html?a=1#top']);
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: true });
  });

  test('whose code never comes is left to the browser in the end', async () => {
    const { router, hold } = await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    hold('/about.html');
    const opened = router.navigate('/about.html');
    await vi.runAllTimersAsync();
    await opened;
    expect(tab.left).toEqual(['/blog/about.html']);
  });

  test('by a click takes the same way', async () => {
    const { state, stop } = await open();
    tab.click(tab.linkTo('/blog/about.html#top'));
    await tab.settle();
    expect(state()).toEqual({ at: '/blog/about.html#top', shows: '/about.html', pending: false });
    stop();
    expect(tab.click(tab.linkTo('/blog/help.html'))).toBe(true);
  });
});

describe('a page that is overtaken by another', () => {
  test('is neither shown nor recorded when it comes at last', async () => {
    const { router, hold, state } = await open();
    const slow = hold('/about.html');
    const first = router.navigate('/about.html');
    await router.navigate('/help.html');
    slow.arrive();
    await first;
    expect(state()).toEqual({ at: '/blog/help.html', shows: '/help.html', pending: false });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html']);
  });

  test('is not followed to where it leads', async () => {
    const { router, load, state } = await open();
    const slow = Promise.withResolvers<void>();
    load('/about.html', () => slow.promise);
    const first = router.navigate('/about.html');
    await router.navigate('/help.html');
    slow.reject(new Redirect('/essay/detail/1.html'));
    await first;
    expect(state()).toMatchObject({ at: '/blog/help.html', shows: '/help.html' });
  });

  test('does not take the reader away when its code is gone', async () => {
    const { router, hold, state } = await open();
    const slow = hold('/about.html');
    const first = router.navigate('/about.html');
    await router.navigate('/help.html');
    slow.fail();
    await first;
    expect(tab.left).toEqual([]);
    expect(state()).toEqual({ at: '/blog/help.html', shows: '/help.html', pending: false });
  });

  test('by Back gives way, and the click before it with it', async () => {
    const { router, hold, state } = await open();
    await router.navigate('/help.html');
    const slow = hold('/about.html');
    const first = router.navigate('/about.html');
    await tab.back();
    slow.arrive();
    await first;
    expect(state()).toEqual({ at: '/blog/home', shows: '/home', pending: false });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/help.html']);
  });

  test('on the way back is forgotten when the reader goes forward again', async () => {
    const { router, hold, state } = await open();
    await router.navigate('/about.html');
    const slow = hold('/home');
    await tab.back();
    expect(state()).toEqual({ at: '/blog/home', shows: '/about.html', pending: true });
    await tab.forward();
    expect(state()).toEqual({ at: '/blog/about.html', shows: '/about.html', pending: false });
    slow.arrive();
    await tab.settle();
    expect(state()).toEqual({ at: '/blog/about.html', shows: '/about.html', pending: false });
  });
});

describe('Back and Forward', () => {
  test('show the pages of their entries at the places where they were', async () => {
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

  test('to a page that leads elsewhere now put the new address into its entry', async () => {
    const { router, load, state } = await open();
    await router.navigate('/about.html');
    await router.navigate('/help.html');
    load('/about.html', () => Promise.reject(new Redirect('/essay/detail/7.html')));
    await tab.back();
    expect(state()).toMatchObject({ at: '/blog/essay/detail/7.html', shows: '/essay/detail/7.html' });
    expect(tab.urls()).toEqual(['/blog/home', '/blog/essay/detail/7.html', '/blog/help.html']);
  });

  test('to a page that fails to load say so, and go on from there', async () => {
    const { router, load } = await open();
    await router.navigate('/about.html');
    load('/home', () => Promise.reject(new CallError('UNAVAILABLE')));
    await tab.back();
    expect(router.view()).toEqual(failedView('/home'));
    await tab.forward();
    expect(router.view()).toMatchObject({ url: '/about.html', status: 200 });
  });

  test('to a page that is not in the table any more say that it is missing', async () => {
    const { router } = await open();
    history.pushState(null, '', '/blog/nowhere');
    await router.navigate('/about.html');
    await tab.back();
    expect(router.view()).toEqual(missingView('/nowhere'));
  });
});

describe('a page that the server rendered', () => {
  test('is shown before its code is there, if it can wait for it', () => {
    const { router } = createSite();
    expect(router.adopt('/home?tag=a')).toMatchObject({
      url: '/home?tag=a',
      status: 200,
      path: '/home',
      params: {},
      still: 'untouched',
    });
    for (const url of ['/about.html', '/', '/nowhere']) expect(router.adopt(url)).toBeUndefined();
  });

  test.each([
    ['takes what it says of itself away when it is left', false, 0],
    ['leaves that to React once it is taken over', true, 3],
  ])('%s', async (_what, isTakenOver, leftInHead) => {
    const { router } = createSite();
    const view = router.adopt('/home');
    if (view !== undefined) router.show(view);
    router.start();
    tab.fillHead(3);
    if (isTakenOver) view?.takenOver?.();
    const opened = router.navigate('/about.html');
    expect(tab.headElements()).toBe(3);
    await opened;
    expect(tab.headElements()).toBe(leftInHead);
  });
});

test('parameters that the server left out are there once the browser has taken over', async () => {
  tab.close();
  tab = openTab('https://site.test/blog/about.html?ticket=a#top');
  const { router } = createSite();
  router.show(await router.resolve('/about.html'));
  router.start();
  expect(router.view()).toMatchObject({ url: '/about.html?ticket=a', status: 200 });
  expect(router.view().search.get('ticket')).toBe('a');
});

test('listeners hear of every change until they leave', async () => {
  const { router } = await open();
  const listener = vi.fn();
  const leave = router.subscribe(listener);
  await router.navigate('/about.html');
  expect(listener).toHaveBeenCalledTimes(2);
  leave();
  await router.navigate('/help.html');
  expect(listener).toHaveBeenCalledTimes(2);
});

test('paths in attributes have the base path', () => {
  expect(createSite().router.href('/home?a=1#b')).toBe('/blog/home?a=1#b');
});
