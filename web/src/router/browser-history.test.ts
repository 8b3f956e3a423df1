import { type FakeTab, openFakeTab } from '@mozhan/client/fake-tab.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BEFORE_TRAVERSE, createBrowserHistory } from './browser-history.ts';

const ORIGIN = 'https://site.test';
/** Pages of the site, below its base path. */
const PAGES = ['/home', '/about.html', '/help.html', '/essay/detail/1.html'];
const isPage = (url: string) => PAGES.includes(new URL(`http://app${url}`).pathname);

let tab: FakeTab;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  tab = openFakeTab(`${ORIGIN}/blog/home?tag=a`);
});
afterEach(() => {
  tab.close();
  vi.useRealTimers();
});

/** Sets up the history alone: whatever it reports as opened is displayed at once. */
function listen() {
  let currentPage = '';
  let isLoadingBlocked = false;
  let travels = 0;
  const stayed = vi.fn();
  const open = vi.fn<(to: string) => void>();
  const preload = vi.fn<(url: string) => void>();
  const browser = createBrowserHistory({
    basePath: '/blog',
    current: () => currentPage,
    hasRoute: isPage,
    preload,
    onLink: open,
    onTraverseWithinPage: stayed,
    onTraverse(to, restore) {
      travels += 1;
      if (isLoadingBlocked) return;
      currentPage = to;
      restore();
    },
  });
  const stop = browser.start();
  currentPage = browser.currentUrl();

  function go(to: string, replace = false): void {
    browser.recordEntry(`/blog${to}`, replace);
    currentPage = browser.currentUrl();
    browser.scrollToTarget();
  }
  /** From now on, pages opened by Back and Forward do not finish loading. */
  const blockLoading = (slow = true) => {
    isLoadingBlocked = slow;
  };
  return {
    open,
    preload,
    stayed,
    go,
    stop,
    blockLoading,
    currentPage: () => currentPage,
    travels: () => travels,
  };
}

describe('a click on a link', () => {
  test.each([
    ['/blog/about.html', '/about.html'],
    ['/blog/about.html?a=1&b=%E5%A2%A8', '/about.html?a=1&b=%E5%A2%A8'],
    ['/blog/about.html#top', '/about.html#top'],
    ['https://site.test/blog/help.html', '/help.html'],
    ['about.html', '/about.html'],
    ['?tag=b', '/home?tag=b'],
    // The same page again, and a fragment in a page with other parameters.
    ['/blog/home?tag=a', '/home?tag=a'],
    ['/blog/home?tag=b#list', '/home?tag=b#list'],
  ])('to %s is handled without loading a new document', (href, to) => {
    const { open } = listen();
    expect(tab.click(tab.linkTo(href))).toBe(false);
    expect(open.mock.calls.map(([opened]) => opened)).toEqual([to]);
  });

  test.each([
    ['another site', 'https://other.test/blog/about.html'],
    ['the same host on another port', 'https://site.test:8443/blog/about.html'],
    ['the same host without encryption', 'http://site.test/blog/about.html'],
    ['another host without a scheme', '//other.test/blog/about.html'],
    ['a path outside of the base path', '/about.html'],
    ['a path that only begins like the base path', '/blogger/about.html'],
    ['the base path alone', '/blog'],
    ['a path that leads out of the base path', '/blog/../about.html'],
    ['a page that is not in the table', '/blog/admin/'],
    ['a file', '/blog/files/ab/cd.webp'],
    ['a script', 'javascript:alert(1)'],
    ['a mail', 'mailto:a@site.test'],
    ['a fragment of this page', '#list'],
    ['a fragment of this page, as an absolute URL', 'https://site.test/blog/home?tag=a#list'],
  ])('to %s is left to the browser', (_what, href) => {
    const { open } = listen();
    expect(tab.click(tab.linkTo(href))).toBe(true);
    expect(open).not.toHaveBeenCalled();
  });

  test.each([
    ['with the Command key', { metaKey: true }],
    ['with the Control key', { ctrlKey: true }],
    ['with the Shift key', { shiftKey: true }],
    ['with the Alt key', { altKey: true }],
    ['with the middle button', { button: 1 }],
    ['with the right button', { button: 2 }],
  ])('%s is left to the browser', (_how, options) => {
    const { open } = listen();
    expect(tab.click(tab.linkTo('/blog/about.html'), options)).toBe(true);
    expect(open).not.toHaveBeenCalled();
  });

  test('is ignored when its default was already prevented', () => {
    const { open } = listen();
    tab.click(tab.linkTo('/blog/about.html'), { prevented: true });
    expect(open).not.toHaveBeenCalled();
  });

  test('with another target or a download is left to the browser, one with the target _self is not', () => {
    const { open } = listen();
    for (const options of [{ target: '_blank' }, { target: 'print' }, { target: '_top' }, { download: true }])
      expect(tab.click(tab.linkTo('/blog/about.html', options))).toBe(true);
    expect(open).not.toHaveBeenCalled();
    expect(tab.click(tab.linkTo('/blog/about.html', { target: '_self' }))).toBe(false);
    expect(open).toHaveBeenCalledOnce();
  });

  test('is handled anywhere inside the link, and nowhere else', () => {
    const { open } = listen();
    expect(tab.click(tab.linkTo('/blog/about.html', { child: true }))).toBe(false);
    expect(open).toHaveBeenCalledOnce();
    // An anchor without href, a link in an SVG, and a target that is no element.
    for (const target of [tab.linkTo(undefined), tab.svgLink(), {}]) expect(tab.click(target)).toBe(true);
    expect(open).toHaveBeenCalledOnce();
  });
});

describe('preloading a page', () => {
  test('starts once when the pointer stays on its link, without the fragment', () => {
    const { preload } = listen();
    tab.dispatchOn('pointerover', tab.linkTo('/blog/help.html'));
    tab.dispatchOn('pointerover', tab.linkTo('/blog/about.html?a=1#top'));
    expect(preload).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(preload.mock.calls).toEqual([['/about.html?a=1']]);
  });

  test('does not start when the pointer leaves before the delay', () => {
    const { preload } = listen();
    tab.dispatchOn('pointerover', tab.linkTo('/blog/help.html'));
    tab.dispatchOn('pointerover', {});
    vi.runAllTimers();
    expect(preload).not.toHaveBeenCalled();
  });

  test.each(['touchstart', 'focusin'])('starts at %s without a delay', (type) => {
    const { preload } = listen();
    tab.dispatchOn(type, tab.linkTo('/blog/help.html'));
    vi.advanceTimersByTime(0);
    expect(preload.mock.calls).toEqual([['/help.html']]);
  });

  test('does not start for the current page, another site, or in data saver mode', () => {
    const { preload } = listen();
    tab.dispatchOn('pointerover', tab.linkTo('/blog/home?tag=a#list'));
    tab.dispatchOn('pointerover', tab.linkTo('https://other.test/blog/help.html'));
    vi.runAllTimers();
    Object.assign(navigator, { connection: { saveData: true } });
    tab.dispatchOn('pointerover', tab.linkTo('/blog/help.html'));
    vi.runAllTimers();
    expect(preload).not.toHaveBeenCalled();
  });
});

describe('the scroll position', () => {
  test('is the top of a new page, or the target of its fragment', () => {
    const { go } = listen();
    tab.addElement('章节', 700);
    tab.scroll(400);
    go('/about.html');
    expect([tab.scrollY(), tab.focused()]).toEqual([0, 'main']);
    go('/help.html#%E7%AB%A0%E8%8A%82');
    expect(tab.scrollY()).toBe(700);
    for (const hash of ['#nothing', '#%E7', '#']) {
      tab.scroll(50);
      go(`/about.html${hash}`);
      expect(tab.scrollY()).toBe(0);
    }
  });

  test('is restored by Back and Forward', async () => {
    const { go } = listen();
    tab.scroll(400);
    go('/about.html');
    tab.scroll(90);
    await tab.back();
    expect([tab.currentPath(), tab.scrollY(), tab.focused()]).toEqual(['/blog/home?tag=a', 400, 'main']);
    tab.scroll(410);
    await tab.forward();
    expect([tab.currentPath(), tab.scrollY()]).toEqual(['/blog/about.html', 90]);
    await tab.back();
    expect(tab.scrollY()).toBe(410);
  });

  test('is stored per history entry, not per page', async () => {
    const { go } = listen();
    tab.scroll(100);
    go('/about.html');
    tab.scroll(200);
    go('/home?tag=a');
    tab.scroll(300);
    go('/about.html');
    tab.scroll(400);
    await tab.back(3);
    expect(tab.scrollY()).toBe(100);
    await tab.forward();
    expect(tab.scrollY()).toBe(200);
    await tab.forward(2);
    expect(tab.scrollY()).toBe(400);
    await tab.back();
    expect(tab.scrollY()).toBe(300);
  });

  test('is kept when the URL of an entry is replaced', async () => {
    const { go } = listen();
    const before = tab.state();
    go('/home?tag=b', true);
    expect(tab.state()).toEqual(before);
    expect(tab.urls()).toEqual(['/blog/home?tag=b']);
    go('/about.html');
    expect(tab.state()).not.toEqual(before);
    await tab.back();
    expect(tab.state()).toEqual(before);
  });

  test('is restored after a jump inside the page, without loading it again', async () => {
    const { travels } = listen();
    tab.scroll(30);
    tab.followFragment('#list');
    expect(tab.state()).toEqual({ key: expect.any(String) });
    tab.scroll(600);
    await tab.back();
    expect(tab.scrollY()).toBe(30);
    await tab.forward();
    expect([tab.currentPath(), tab.scrollY()]).toEqual(['/blog/home?tag=a#list', 600]);
    expect(travels()).toBe(0);
  });

  test('of a page that is still loading is not overwritten by the visible page', async () => {
    const { go, blockLoading, stayed } = listen();
    tab.scroll(400);
    go('/about.html');
    tab.scroll(90);
    blockLoading();
    await tab.back();
    tab.scroll(95);
    await tab.forward();
    expect(stayed).toHaveBeenCalledOnce();
    expect(tab.scrollY()).toBe(90);
    await tab.back();
    go('/help.html');
    blockLoading(false);
    await tab.back();
    expect([tab.currentPath(), tab.scrollY()]).toEqual(['/blog/home?tag=a', 400]);
  });

  test('survives a reload, where the browser restores it', async () => {
    const first = listen();
    expect(history.scrollRestoration).toBe('manual');
    tab.scroll(250);
    first.go('/about.html');
    tab.scroll(120);
    const state = tab.state();
    tab.dispatchOnWindow('pagehide');
    expect(history.scrollRestoration).toBe('auto');
    first.stop();

    listen();
    expect(history.scrollRestoration).toBe('manual');
    expect(tab.state()).toEqual(state);
    await tab.back();
    expect(tab.scrollY()).toBe(250);
    await tab.forward();
    expect(tab.scrollY()).toBe(120);
  });

  test('is managed by the router again after a restore from the back/forward cache', () => {
    listen();
    tab.dispatchOnWindow('pagehide');
    tab.dispatchOnWindow('pageshow');
    expect(history.scrollRestoration).toBe('manual');
  });

  test.each(['not JSON', ''])('is the top when the storage contains %j', async (text) => {
    tab.stored.set('scroll', text);
    const { go } = listen();
    go('/about.html');
    await tab.back();
    expect(tab.scrollY()).toBe(0);
  });

  test('is kept in memory when the storage is blocked', async () => {
    const refuse = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    Object.assign(globalThis, { sessionStorage: { getItem: refuse, setItem: refuse } });
    const { go } = listen();
    tab.scroll(80);
    go('/about.html');
    expect(() => tab.dispatchOnWindow('pagehide')).not.toThrow();
    await tab.back();
    expect(tab.scrollY()).toBe(80);
  });
});

test('lets a listener cancel Back before anything changes', async () => {
  const { go, currentPage } = listen();
  go('/about.html');
  addEventListener(BEFORE_TRAVERSE, (event) => event.preventDefault(), { once: true });
  await tab.back();
  expect(currentPage()).toBe('/about.html');
  await tab.forward();
  await tab.back();
  expect(currentPage()).toBe('/home?tag=a');
});

test('leaves everything to the browser after it was stopped', async () => {
  const { open, preload, go, stop, currentPage } = listen();
  go('/about.html');
  stop();
  expect(tab.click(tab.linkTo('/blog/help.html'))).toBe(true);
  tab.dispatchOn('focusin', tab.linkTo('/blog/help.html'));
  vi.runAllTimers();
  await tab.back();
  expect([open.mock.calls, preload.mock.calls, currentPage()]).toEqual([[], [], '/about.html']);
});
