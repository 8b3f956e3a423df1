import { openTab, type Tab } from '@mozhan/client/tab-fixture.ts';
import type { MouseEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type App, AppContext } from './app-context.ts';
import { Link } from './navigation.tsx';
import { createRouter } from './router.ts';
import { leaveForSignIn } from './session.ts';

let tab: Tab;
beforeEach(() => {
  tab = openTab('https://site.test/blog/admin/essay?page=2#main');
});
afterEach(() => tab.close());

type LinkProps = Parameters<typeof Link>[0];
let rendered: ReactElement<LinkProps>;

function Kept(props: LinkProps) {
  rendered = Link(props);
  return rendered;
}

/** Renders the link and clicks on it; returns whether the browser was left to follow it. */
async function click(props: Partial<LinkProps>, given: Partial<MouseEvent> = {}): Promise<boolean> {
  const router = createRouter('/blog/admin');
  const html = renderToStaticMarkup(
    <AppContext value={{ router } as App}>
      <Kept to="/user?page=3" {...props} />
    </AppContext>,
  );
  expect(html).toMatch(/^<a [^>]*href="\/blog\/admin\/user\?page=3"[^>]*><\/a>$/);
  const event = {
    ...{ button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, defaultPrevented: false },
    ...given,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  rendered.props.onClick?.(event as MouseEvent<HTMLAnchorElement>);
  await tab.settle();
  return !event.defaultPrevented;
}

test('a plain click stays in the app, and what the link does by itself comes first', async () => {
  const onClick = vi.fn();
  expect(await click({ onClick })).toBe(false);
  expect(onClick).toHaveBeenCalledOnce();
  expect(tab.here()).toBe('/blog/admin/user?page=3');
});

test.each([
  ['the Command key', { metaKey: true }],
  ['the Control key', { ctrlKey: true }],
  ['the Shift key', { shiftKey: true }],
  ['the Alt key', { altKey: true }],
  ['the middle button', { button: 1 }],
])('a click with %s is left to the browser', async (_how, given) => {
  expect(await click({}, given)).toBe(true);
  expect(tab.here()).toBe('/blog/admin/essay?page=2#main');
});

test('a click that the link has dealt with goes nowhere', async () => {
  await click({ onClick: (event) => event.preventDefault() });
  expect(tab.here()).toBe('/blog/admin/essay?page=2#main');
});

test('whoever has to sign in comes back to the screen', () => {
  leaveForSignIn('/blog');
  expect(tab.left).toEqual([
    `/blog/login.html?way=password&redirect=${encodeURIComponent('/blog/admin/essay?page=2')}`,
  ]);
});
