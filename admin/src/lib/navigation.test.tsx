import { type FakeTab, openFakeTab } from '@mozhan/client/fake-tab.ts';
import type { MouseEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type App, AppContext } from './app-context.ts';
import { Link } from './navigation.tsx';
import { createRouter } from './router.ts';
import { redirectToSignIn } from './session.ts';

let tab: FakeTab;
beforeEach(() => {
  tab = openFakeTab('https://site.test/blog/admin/essay?page=2#main');
});
afterEach(() => tab.close());

type LinkProps = Parameters<typeof Link>[0];
let rendered: ReactElement<LinkProps>;

function CapturedLink(props: LinkProps) {
  rendered = Link(props);
  return rendered;
}

/** Renders the link and clicks it; returns whether the browser follows it itself. */
async function click(props: Partial<LinkProps>, eventOptions: Partial<MouseEvent> = {}): Promise<boolean> {
  const router = createRouter('/blog/admin');
  const html = renderToStaticMarkup(
    <AppContext value={{ router } as App}>
      <CapturedLink to="/user?page=3" {...props} />
    </AppContext>,
  );
  expect(html).toMatch(/^<a [^>]*href="\/blog\/admin\/user\?page=3"[^>]*><\/a>$/);
  const event = {
    ...{ button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, defaultPrevented: false },
    ...eventOptions,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  rendered.props.onClick?.(event as MouseEvent<HTMLAnchorElement>);
  await tab.waitForNavigation();
  return !event.defaultPrevented;
}

test('a plain click calls onClick first, then navigates inside the app', async () => {
  const onClick = vi.fn();
  expect(await click({ onClick })).toBe(false);
  expect(onClick).toHaveBeenCalledOnce();
  expect(tab.currentPath()).toBe('/blog/admin/user?page=3');
});

test.each([
  ['the Command key', { metaKey: true }],
  ['the Control key', { ctrlKey: true }],
  ['the Shift key', { shiftKey: true }],
  ['the Alt key', { altKey: true }],
  ['the middle button', { button: 1 }],
])('a click with %s is left to the browser', async (_how, eventOptions) => {
  expect(await click({}, eventOptions)).toBe(true);
  expect(tab.currentPath()).toBe('/blog/admin/essay?page=2#main');
});

test('does not navigate when onClick prevents the default', async () => {
  await click({ onClick: (event) => event.preventDefault() });
  expect(tab.currentPath()).toBe('/blog/admin/essay?page=2#main');
});

test('the sign-in URL contains the current screen as redirect', () => {
  redirectToSignIn('/blog');
  expect(tab.leftUrls).toEqual([
    `/blog/login.html?way=password&redirect=${encodeURIComponent('/blog/admin/essay?page=2')}`,
  ]);
});
