import { openTab, type Tab } from '@mozhan/client/tab-fixture.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listenToBrowser, TRAVEL } from './browser-history.ts';

const ORIGIN = 'https://site.test';
/** Pages of the site, below its base path. */
const PAGES = ['/home', '/about.html', '/help.html', '/essay/detail/1.html'];
const isPage = (url: string) => PAGES.includes(new URL(`http://app${url}`).pathname);

let tab: Tab;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  tab = openTab(`${ORIGIN}/blog/home?tag=a`);
});
afterEach(() => {
  tab.close();
  vi.useRealTimers();
});

/** The browser's half alone: whatever it says was opened is shown at once. */
function listen() {
  let shown = '';
  let isSlow = false;
  let travels = 0;
  const stayed = vi.fn();
  const open = vi.fn<(to: string) => void>();
  const preload = vi.fn<(url: string) => void>();
  const browser = listenToBrowser({
    basePath: '/blog',
    current: () => shown,
    knows: isPage,
    preload,
    open,
    stayed,
    travelled(to, restore) {
      travels += 1;
      if (isSlow) return;
      shown = to;
      restore();
    },
  });
  const stop = browser.start();
  shown = browser.here();

  function go(to: string, replace = false): void {
    browser.record(`/blog${to}`, replace);
    shown = browser.here();
    browser.arrive();
  }
  /** From now on, what Back and Forward lead to does not arrive. */
  const slowDown = (slow = true) => {
    isSlow = slow;
  };
  return { open, preload, stayed, go, stop, slowDown, shown: () => shown, travels: () => travels };
}

describe('a click on a link', () => {
  test.each([
    ['/blog/about.html', '/about.html'],
    ['/blog/about.html?a=1&b=%E5%A2%A8', '/about.html?a=1&b=%E5%A2%A8'],
    ['/blog/about.html#top', '/about.html#top'],
    ['https://site.test/blog/help.html', '/help.html'],
    ['about.html', '/about.html'],
    ['?tag=b', '/home?tag=b'],
    // The same page once more, and another place in a page with other parameters.
    ['/blog/home?tag=a', '/home?tag=a'],
    ['/blog/home?tag=b#list', '/home?tag=b#list'],
  ])('to %s is opened without leaving the document', (href, to) => {
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
    ['a place in this page', '#list'],
    ['a place in this page, as a whole address', 'https://site.test/blog/home?tag=a#list'],
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

  test('that was dealt with already is left alone', () => {
    const { open } = listen();
    tab.click(tab.linkTo('/blog/about.html'), { prevented: true });
    expect(open).not.toHaveBeenCalled();
  });

  test('that opens another window or saves a file is left to the browser, one that names this window is not', () => {
    const { open } = listen();
    for (const options of [{ target: '_blank' }, { target: 'print' }, { target: '_top' }, { download: true }])
      expect(tab.click(tab.linkTo('/blog/about.html', options))).toBe(true);
    expect(open).not.toHaveBeenCalled();
    expect(tab.click(tab.linkTo('/blog/about.html', { target: '_self' }))).toBe(false);
    expect(open).toHaveBeenCalledOnce();
  });

  test('counts wherever inside the link it falls, and nowhere else', () => {
    const { open } = listen();
    expect(tab.click(tab.linkTo('/blog/about.html', { child: true }))).toBe(false);
    expect(open).toHaveBeenCalledOnce();
    // An anchor without an address, a link in a drawing, and no element at all.
    for (const target of [tab.linkTo(undefined), tab.drawnLink(), {}]) expect(tab.click(target)).toBe(true);
    expect(open).toHaveBeenCalledOnce();
  });
});

describe('a page is loaded ahead', () => {
  test('when the pointer stays on its link, once and without the place in it', () => {
    const { preload } = listen();
    tab.point('pointerover', tab.linkTo('/blog/help.html'));
    tab.point('pointerover', tab.linkTo('/blog/about.html?a=1#top'));
    expect(preload).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(preload.mock.calls).toEqual([['/about.html?a=1']]);
  });

  test('not when the pointer goes on before that', () => {
    const { preload } = listen();
    tab.point('pointerover', tab.linkTo('/blog/help.html'));
    tab.point('pointerover', {});
    vi.runAllTimers();
    expect(preload).not.toHaveBeenCalled();
  });

  test.each(['touchstart', 'focusin'])('at a %s, without waiting', (type) => {
    const { preload } = listen();
    tab.point(type, tab.linkTo('/blog/help.html'));
    vi.advanceTimersByTime(0);
    expect(preload.mock.calls).toEqual([['/help.html']]);
  });

  test('unless it is the one that is shown, not ours, or data is to be saved', () => {
    const { preload } = listen();
    tab.point('pointerover', tab.linkTo('/blog/home?tag=a#list'));
    tab.point('pointerover', tab.linkTo('https://other.test/blog/help.html'));
    vi.runAllTimers();
    Object.assign(navigator, { connection: { saveData: true } });
    tab.point('pointerover', tab.linkTo('/blog/help.html'));
    vi.runAllTimers();
    expect(preload).not.toHaveBeenCalled();
  });
});

describe('the place in the page', () => {
  test('is the top of a new page, or what its address names', () => {
    const { go } = listen();
    tab.place('章节', 700);
    tab.scroll(400);
    go('/about.html');
    expect([tab.scrollY(), tab.focused()]).toEqual([0, 'main']);
    go('/help.html#%E7%AB%A0%E8%8A%82');
    expect(tab.scrollY()).toBe(700);
    for (const unknown of ['#nothing', '#%E7', '#']) {
      tab.scroll(50);
      go(`/about.html${unknown}`);
      expect(tab.scrollY()).toBe(0);
    }
  });

  test('comes back with Back and with Forward', async () => {
    const { go } = listen();
    tab.scroll(400);
    go('/about.html');
    tab.scroll(90);
    await tab.back();
    expect([tab.here(), tab.scrollY(), tab.focused()]).toEqual(['/blog/home?tag=a', 400, 'main']);
    tab.scroll(410);
    await tab.forward();
    expect([tab.here(), tab.scrollY()]).toEqual(['/blog/about.html', 90]);
    await tab.back();
    expect(tab.scrollY()).toBe(410);
  });

  test('belongs to the entry of the history: one page can have several', async () => {
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

  test('stays with an entry whose address is replaced', async () => {
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

  test('comes back after a jump inside the page, without loading it again', async () => {
    const { travels } = listen();
    tab.scroll(30);
    tab.jump('#list');
    expect(tab.state()).toEqual({ key: expect.any(String) });
    tab.scroll(600);
    await tab.back();
    expect(tab.scrollY()).toBe(30);
    await tab.forward();
    expect([tab.here(), tab.scrollY()]).toEqual(['/blog/home?tag=a#list', 600]);
    expect(travels()).toBe(0);
  });

  test('of a page that has not arrived is not what the page before it shows', async () => {
    const { go, slowDown, stayed } = listen();
    tab.scroll(400);
    go('/about.html');
    tab.scroll(90);
    slowDown();
    await tab.back();
    tab.scroll(95);
    await tab.forward();
    expect(stayed).toHaveBeenCalledOnce();
    expect(tab.scrollY()).toBe(90);
    await tab.back();
    go('/help.html');
    slowDown(false);
    await tab.back();
    expect([tab.here(), tab.scrollY()]).toEqual(['/blog/home?tag=a', 400]);
  });

  test('survives a reload, which the browser itself brings back', async () => {
    const first = listen();
    expect(history.scrollRestoration).toBe('manual');
    tab.scroll(250);
    first.go('/about.html');
    tab.scroll(120);
    const state = tab.state();
    tab.fire('pagehide');
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

  test('of a page from the cache of the browser is the router’s again', () => {
    listen();
    tab.fire('pagehide');
    tab.fire('pageshow');
    expect(history.scrollRestoration).toBe('manual');
  });

  test.each(['not JSON', ''])('is the top where %j was stored', async (text) => {
    tab.stored.set('scroll', text);
    const { go } = listen();
    go('/about.html');
    await tab.back();
    expect(tab.scrollY()).toBe(0);
  });

  test('is the top after a reload where nothing can be stored', async () => {
    const refuse = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    Object.assign(globalThis, { sessionStorage: { getItem: refuse, setItem: refuse } });
    const { go } = listen();
    tab.scroll(80);
    go('/about.html');
    expect(() => tab.fire('pagehide')).not.toThrow();
    await tab.back();
    expect(tab.scrollY()).toBe(80);
  });
});

test('whoever holds unsaved work can stop Back before anything is done', async () => {
  const { go, shown } = listen();
  go('/about.html');
  addEventListener(TRAVEL, (event) => event.preventDefault(), { once: true });
  await tab.back();
  expect(shown()).toBe('/about.html');
  await tab.forward();
  await tab.back();
  expect(shown()).toBe('/home?tag=a');
});

test('once stopped, it leaves everything to the browser', async () => {
  const { open, preload, go, stop, shown } = listen();
  go('/about.html');
  stop();
  expect(tab.click(tab.linkTo('/blog/help.html'))).toBe(true);
  tab.point('focusin', tab.linkTo('/blog/help.html'));
  vi.runAllTimers();
  await tab.back();
  expect([open.mock.calls, preload.mock.calls, shown()]).toEqual([[], [], '/about.html']);
});
