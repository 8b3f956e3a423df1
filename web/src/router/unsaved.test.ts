import { openTab, type Tab } from '@mozhan/client/tab-fixture.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenToBrowser } from './browser-history.ts';
import { askBeforeLeaving } from './unsaved.ts';

const isPage = (url: string) => url.startsWith('/account/') || url === '/home';

let tab: Tab;
beforeEach(() => {
  tab = openTab('https://site.test/blog/home');
});
afterEach(() => tab.close());

/** A form with something unsaved at `/account/settings.html`, opened from `/home`; the test answers the question. */
function openForm() {
  let shown = '/home';
  let answer: ((yes: boolean) => void) | undefined;
  const ask = vi.fn(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    answer = resolve;
    return promise;
  });
  const browser = listenToBrowser({
    basePath: '/blog',
    current: () => shown,
    knows: isPage,
    preload: () => {},
    open: (to) => void navigate(to),
    stayed: () => {},
    travelled: (to) => show(to),
  });
  browser.start();

  let saved = () => {};
  function show(to: string): void {
    shown = to;
    saved();
  }
  async function navigate(to: string): Promise<void> {
    browser.record(`/blog${to}`, false);
    show(browser.here());
  }
  void navigate('/account/settings.html');
  saved = askBeforeLeaving({ basePath: '/blog', knows: isPage, navigate }, ask);

  return {
    ask,
    save: () => saved(),
    async say(yes: boolean) {
      answer?.(yes);
      await tab.settle();
    },
    state: () => ({ at: tab.here(), shows: shown, asked: ask.mock.calls.length }),
  };
}
const FORM = { at: '/blog/account/settings.html', shows: '/account/settings.html' };

test('whoever refuses to leave by a link stays, and is asked again the next time', async () => {
  const { say, state } = openForm();
  for (const asked of [1, 2]) {
    expect(tab.click(tab.linkTo('/blog/home'))).toBe(false);
    expect(state()).toEqual({ ...FORM, asked });
    await say(false);
    expect(state()).toEqual({ ...FORM, asked });
  }
});

test('whoever agrees to leave by a link comes to where it leads', async () => {
  const { say, state } = openForm();
  tab.click(tab.linkTo('/blog/account/center.html?tab=a#list', { child: true }));
  await say(true);
  expect(state()).toEqual({
    at: '/blog/account/center.html?tab=a#list',
    shows: '/account/center.html?tab=a',
    asked: 1,
  });
  expect(tab.urls()).toEqual(['/blog/home', FORM.at, '/blog/account/center.html?tab=a#list']);
});

test.each([
  ['to another site', 'https://other.test/blog/home', {}, {}],
  ['to a page that is not in the table', '/blog/admin/', {}, {}],
  ['out of the base path', '/home', {}, {}],
  ['to a place in this page', '#list', {}, {}],
  ['into another window', '/blog/home', { target: '_blank' }, {}],
  ['that saves a file', '/blog/home', { download: true }, {}],
  ['with the Control key', '/blog/home', {}, { ctrlKey: true }],
  ['with the Command key', '/blog/home', {}, { metaKey: true }],
  ['with the Shift key', '/blog/home', {}, { shiftKey: true }],
  ['with the Alt key', '/blog/home', {}, { altKey: true }],
  ['with the middle button', '/blog/home', {}, { button: 1 }],
])('a click %s is left to the browser without a question', (_what, href, link, click) => {
  const { ask } = openForm();
  expect(tab.click(tab.linkTo(href, link), click)).toBe(true);
  expect(ask).not.toHaveBeenCalled();
});

test('a click that something else has dealt with asks nothing', () => {
  const { ask } = openForm();
  tab.click(tab.linkTo('/blog/home'), { prevented: true });
  tab.click({});
  expect(ask).not.toHaveBeenCalled();
});

test('whoever refuses to leave by Back stays at the address of the form', async () => {
  const { say, state } = openForm();
  const entry = tab.state();
  await tab.back();
  expect(state()).toEqual({ ...FORM, asked: 1 });
  await say(false);
  expect(state()).toEqual({ ...FORM, asked: 1 });
  expect(tab.urls()).toEqual(['/blog/home', FORM.at]);
  expect(tab.state()).toEqual(entry);
  await tab.back();
  expect(state()).toEqual({ ...FORM, asked: 2 });
});

test('whoever agrees to leave by Back comes to the page before, and is not asked twice', async () => {
  const { say, state } = openForm();
  await tab.back();
  await say(true);
  expect(state()).toEqual({ at: '/blog/home', shows: '/home', asked: 1 });
});

test('Back that is pressed again while the question is open asks no second one', async () => {
  const { say, state } = openForm();
  await tab.back();
  await tab.back();
  tab.click(tab.linkTo('/blog/account/center.html'));
  expect(state()).toEqual({ ...FORM, asked: 1 });
  await say(true);
  expect(state()).toEqual({ at: '/blog/home', shows: '/home', asked: 1 });
});

test('a jump inside the page, and Back from it, ask nothing', async () => {
  const { state } = openForm();
  tab.jump('#name');
  expect(state()).toEqual({ ...FORM, at: `${FORM.at}#name`, asked: 0 });
  await tab.back();
  expect(state()).toEqual({ ...FORM, asked: 0 });
});

test('the browser asks before the tab is closed, until the reader has agreed to leave', async () => {
  const { say, ask } = openForm();
  expect(tab.fire('beforeunload')).toBe(false);
  expect(ask).not.toHaveBeenCalled();
  await tab.back();
  const left = say(true);
  await Promise.resolve();
  expect(tab.fire('beforeunload')).toBe(true);
  await left;
});

test('once saved, nothing is asked', async () => {
  const { save, state } = openForm();
  save();
  expect(tab.fire('beforeunload')).toBe(true);
  tab.click(tab.linkTo('/blog/account/center.html'));
  await tab.back(2);
  expect(state()).toEqual({ at: '/blog/home', shows: '/home', asked: 0 });
});
