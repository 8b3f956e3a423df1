import { type FakeTab, openFakeTab } from '@mozhan/client/fake-tab.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBrowserHistory } from './browser-history.ts';
import { confirmBeforeLeaving } from './confirm-leaving.ts';

const isPage = (url: string) => url.startsWith('/account/') || url === '/home';

let tab: FakeTab;
beforeEach(() => {
  tab = openFakeTab('https://site.test/blog/home');
});
afterEach(() => tab.close());

/** A form with unsaved changes at `/account/settings.html`, opened from `/home`; the test answers the confirmation. */
function openForm() {
  let currentPage = '/home';
  let resolveConfirm: ((yes: boolean) => void) | undefined;
  const confirm = vi.fn(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    resolveConfirm = resolve;
    return promise;
  });
  const browser = createBrowserHistory({
    basePath: '/blog',
    current: () => currentPage,
    hasRoute: isPage,
    preload: () => {},
    onLink: (to) => void navigate(to),
    onTraverseWithinPage: () => {},
    onTraverse: (to) => setPage(to),
  });
  browser.start();

  let saved = () => {};
  function setPage(to: string): void {
    currentPage = to;
    saved();
  }
  async function navigate(to: string): Promise<void> {
    browser.recordEntry(`/blog${to}`, false);
    setPage(browser.currentUrl());
  }
  void navigate('/account/settings.html');
  saved = confirmBeforeLeaving({ basePath: '/blog', hasRoute: isPage, navigate }, confirm);

  return {
    confirm,
    save: () => saved(),
    async answer(yes: boolean) {
      resolveConfirm?.(yes);
      await tab.waitForNavigation();
    },
    state: () => ({ at: tab.currentPath(), shows: currentPage, asked: confirm.mock.calls.length }),
  };
}
const FORM = { at: '/blog/account/settings.html', shows: '/account/settings.html' };

test('stays on the page when leaving by a link is declined, and asks again the next time', async () => {
  const { answer, state } = openForm();
  for (const asked of [1, 2]) {
    expect(tab.click(tab.linkTo('/blog/home'))).toBe(false);
    expect(state()).toEqual({ ...FORM, asked });
    await answer(false);
    expect(state()).toEqual({ ...FORM, asked });
  }
});

test('follows the link when leaving is confirmed', async () => {
  const { answer, state } = openForm();
  tab.click(tab.linkTo('/blog/account/center.html?tab=a#list', { child: true }));
  await answer(true);
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
  ['to a fragment of this page', '#list', {}, {}],
  ['into another window', '/blog/home', { target: '_blank' }, {}],
  ['that saves a file', '/blog/home', { download: true }, {}],
  ['with the Control key', '/blog/home', {}, { ctrlKey: true }],
  ['with the Command key', '/blog/home', {}, { metaKey: true }],
  ['with the Shift key', '/blog/home', {}, { shiftKey: true }],
  ['with the Alt key', '/blog/home', {}, { altKey: true }],
  ['with the middle button', '/blog/home', {}, { button: 1 }],
])('a click %s is left to the browser without confirmation', (_what, href, link, click) => {
  const { confirm } = openForm();
  expect(tab.click(tab.linkTo(href, link), click)).toBe(true);
  expect(confirm).not.toHaveBeenCalled();
});

test('ignores a click whose default was prevented', () => {
  const { confirm } = openForm();
  tab.click(tab.linkTo('/blog/home'), { prevented: true });
  tab.click({});
  expect(confirm).not.toHaveBeenCalled();
});

test('stays at the URL of the form when leaving by Back is declined', async () => {
  const { answer, state } = openForm();
  const entry = tab.state();
  await tab.back();
  expect(state()).toEqual({ ...FORM, asked: 1 });
  await answer(false);
  expect(state()).toEqual({ ...FORM, asked: 1 });
  expect(tab.urls()).toEqual(['/blog/home', FORM.at]);
  expect(tab.state()).toEqual(entry);
  await tab.back();
  expect(state()).toEqual({ ...FORM, asked: 2 });
});

test('goes back when leaving is confirmed, and asks only once', async () => {
  const { answer, state } = openForm();
  await tab.back();
  await answer(true);
  expect(state()).toEqual({ at: '/blog/home', shows: '/home', asked: 1 });
});

test('asks only once while the confirmation is open', async () => {
  const { answer, state } = openForm();
  await tab.back();
  await tab.back();
  tab.click(tab.linkTo('/blog/account/center.html'));
  expect(state()).toEqual({ ...FORM, asked: 1 });
  await answer(true);
  expect(state()).toEqual({ at: '/blog/home', shows: '/home', asked: 1 });
});

test('does not ask for a jump inside the page and Back from it', async () => {
  const { state } = openForm();
  tab.followFragment('#name');
  expect(state()).toEqual({ ...FORM, at: `${FORM.at}#name`, asked: 0 });
  await tab.back();
  expect(state()).toEqual({ ...FORM, asked: 0 });
});

test('lets the browser confirm before the tab is closed, until leaving is confirmed', async () => {
  const { answer, confirm } = openForm();
  expect(tab.dispatchOnWindow('beforeunload')).toBe(false);
  expect(confirm).not.toHaveBeenCalled();
  await tab.back();
  const left = answer(true);
  await Promise.resolve();
  expect(tab.dispatchOnWindow('beforeunload')).toBe(true);
  await left;
});

test('asks nothing after the changes were saved', async () => {
  const { save, state } = openForm();
  save();
  expect(tab.dispatchOnWindow('beforeunload')).toBe(true);
  tab.click(tab.linkTo('/blog/account/center.html'));
  await tab.back(2);
  expect(state()).toEqual({ at: '/blog/home', shows: '/home', asked: 0 });
});
