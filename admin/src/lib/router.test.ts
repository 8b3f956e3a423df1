import { openTab, type Tab } from '@mozhan/client/tab-fixture.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRouter } from './router.ts';

let tab: Tab;
beforeEach(() => {
  tab = openTab('https://site.test/blog/admin/');
});
afterEach(() => tab.close());

function start() {
  const router = createRouter('/blog/admin');
  router.start();
  const state = () =>
    `${router.place().path}${router.place().search.size ? `?${router.place().search}` : ''}`;
  return { router, state };
}

/** A guard whose question the test answers. */
function unsaved() {
  let answer: ((yes: boolean) => void) | undefined;
  const ask = vi.fn(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    answer = resolve;
    return promise;
  });
  const say = async (yes: boolean) => {
    answer?.(yes);
    await tab.settle();
  };
  return { ask, say };
}

test.each([
  ['/blog/admin', '/', ''],
  ['/blog/admin/', '/', ''],
  ['/blog/admin/essay?keyword=%E5%A2%A8&page=2#main', '/essay', 'keyword=%E5%A2%A8&page=2'],
  ['/blog/admin/user%2F1', '/user%2F1', ''],
  ['/blog/admin/%E5%A2', '/%E5%A2', ''],
])('at %s one is at %s', (address, path, search) => {
  tab.close();
  tab = openTab(`https://site.test${address}`);
  const { router } = start();
  expect([router.place().path, router.place().search.toString()]).toEqual([path, search]);
});

test('addresses for attributes have the base path', () => {
  expect(start().router.href('/essay?page=2')).toBe('/blog/admin/essay?page=2');
});

describe('without anything unsaved', () => {
  test('a screen is opened at its top, and its listeners hear of it', async () => {
    const { router, state } = start();
    const listener = vi.fn();
    const leave = router.subscribe(listener);
    tab.scroll(300);
    await router.navigate('/essay?page=2');
    expect([state(), tab.here(), tab.scrollY()]).toEqual(['/essay?page=2', '/blog/admin/essay?page=2', 0]);
    expect(listener).toHaveBeenCalledOnce();
    leave();
    await router.navigate('/user');
    expect(listener).toHaveBeenCalledOnce();
  });

  test('what is typed is in the address at once, and no step to go back', async () => {
    const { router, state } = start();
    await router.navigate('/dict');
    await router.navigate('/dict?find=r', { keep: true, replace: true });
    await router.navigate('/dict?find=re', { keep: true, replace: true });
    expect([state(), tab.here()]).toEqual(['/dict?find=re', '/blog/admin/dict?find=re']);
    await tab.back();
    expect(state()).toBe('/');
  });

  test('the address one is at, asked for again, makes no second step to go back', async () => {
    const { router, state } = start();
    await router.navigate('/word?keyword=墨');
    await router.navigate('/word?keyword=%E5%A2%A8', { keep: true });
    expect(tab.urls()).toHaveLength(2);
    await tab.back();
    expect(state()).toBe('/');
  });

  test('another view of the same screen leaves the place in it', async () => {
    const { router, state } = start();
    await router.navigate('/essay');
    tab.scroll(300);
    await router.navigate('/essay?page=2', { keep: true });
    expect([state(), tab.scrollY()]).toEqual(['/essay?page=2', 300]);
  });

  test('Back and Forward show the screens of their entries', async () => {
    const { router, state } = start();
    await router.navigate('/essay?page=2');
    await router.navigate('/user');
    await tab.back();
    expect(state()).toBe('/essay?page=2');
    await tab.back();
    expect(state()).toBe('/');
    await tab.forward(2);
    expect(state()).toBe('/user');
    expect(tab.urls()).toEqual(['/blog/admin/', '/blog/admin/essay?page=2', '/blog/admin/user']);
  });
});

describe('with something unsaved', () => {
  test('whoever refuses to leave by a link stays', async () => {
    const { router, state } = start();
    const { ask, say } = unsaved();
    router.guard(ask);
    const opened = router.navigate('/user');
    expect(ask).toHaveBeenCalledOnce();
    await say(false);
    await opened;
    expect([state(), tab.urls()]).toEqual(['/', ['/blog/admin/']]);
  });

  test('whoever agrees to leave by a link comes to where it leads', async () => {
    const { router, state } = start();
    const { ask, say } = unsaved();
    router.guard(ask);
    const opened = router.navigate('/user');
    await say(true);
    await opened;
    expect([state(), tab.here()]).toEqual(['/user', '/blog/admin/user']);
  });

  test('another view of the same screen asks nothing', async () => {
    const { router, state } = start();
    const { ask } = unsaved();
    router.guard(ask);
    await router.navigate('/?page=2', { keep: true });
    expect([state(), ask.mock.calls]).toEqual(['/?page=2', []]);
  });

  test.each([
    ['Back', (): Promise<void> => tab.back(), '/essay'],
    ['two steps back', (): Promise<void> => tab.back(2), '/'],
    ['Forward', (): Promise<void> => tab.forward(), '/dict'],
  ])(
    'whoever refuses to leave by %s stays at the address, and can go there later',
    async (_how, leave, to) => {
      const { router, state } = start();
      for (const path of ['/essay', '/user', '/dict']) await router.navigate(path);
      await tab.back();
      const entry = tab.state();
      const { ask, say } = unsaved();
      router.guard(ask);
      for (const asked of [1, 2]) {
        await leave();
        expect([state(), tab.here(), ask.mock.calls.length]).toEqual(['/user', '/blog/admin/user', asked]);
        await say(false);
        expect([state(), tab.here(), tab.state()]).toEqual(['/user', '/blog/admin/user', entry]);
      }
      await leave();
      await say(true);
      expect([state(), tab.here(), ask.mock.calls.length]).toEqual([to, `/blog/admin${to}`, 3]);
      expect(tab.urls()).toEqual(['', 'essay', 'user', 'dict'].map((path) => `/blog/admin/${path}`));
    },
  );

  test('Back that is pressed again while the question is open asks no second one', async () => {
    const { router, state } = start();
    await router.navigate('/essay');
    await router.navigate('/user');
    const { ask, say } = unsaved();
    router.guard(ask);
    await tab.back();
    await tab.back();
    expect([state(), tab.here(), ask.mock.calls.length]).toEqual(['/user', '/blog/admin/user', 1]);
    await say(true);
    expect([state(), tab.here(), ask.mock.calls.length]).toEqual(['/essay', '/blog/admin/essay', 1]);
  });

  test('each form is asked, until one wants to stay', async () => {
    const { router, state } = start();
    const forms = [true, false, true].map((yes) => vi.fn(async () => yes));
    for (const ask of forms) router.guard(ask);
    await router.navigate('/user');
    expect(state()).toBe('/');
    expect(forms.map((ask) => ask.mock.calls.length)).toEqual([1, 1, 0]);
  });

  test('a form that is closed asks nothing more', async () => {
    const { router, state } = start();
    const { ask } = unsaved();
    await router.navigate('/essay');
    router.guard(ask)();
    await tab.back();
    await router.navigate('/user');
    expect([state(), ask.mock.calls]).toEqual(['/user', []]);
  });
});

describe('with a form in which nothing is unsaved', () => {
  test('Back leads to the screen before at once', async () => {
    const { router, state } = start();
    await router.navigate('/user');
    router.guard(async () => true);
    await tab.back();
    expect([state(), tab.here()]).toEqual(['/', '/blog/admin/']);
    await tab.forward();
    expect([state(), tab.here()]).toEqual(['/user', '/blog/admin/user']);
  });

  test('a form that stays through Back still asks about what is typed later', async () => {
    const { router, state } = start();
    await router.navigate('/user');
    await router.navigate('/user?page=2', { keep: true });
    let isDirty = false;
    const { ask, say } = unsaved();
    router.guard(async () => !isDirty || ask());
    await tab.back();
    expect(state()).toBe('/user');
    isDirty = true;
    await tab.back();
    expect([state(), ask.mock.calls.length]).toEqual(['/user', 1]);
    await say(false);
    void router.navigate('/essay');
    await tab.settle();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

describe('a jump inside the screen', () => {
  test('leaves nothing, and the way back through it can be undone', async () => {
    const { router, state } = start();
    await router.navigate('/essay');
    await router.navigate('/user');
    const { ask, say } = unsaved();
    router.guard(ask);
    tab.jump('#main');
    tab.jump('#main');
    await tab.settle();
    expect([state(), tab.here(), ask.mock.calls]).toEqual(['/user', '/blog/admin/user#main', []]);
    await tab.back();
    await tab.forward();
    expect([tab.here(), ask.mock.calls]).toEqual(['/blog/admin/user#main', []]);
    await tab.back(2);
    expect(ask).toHaveBeenCalledOnce();
    await say(false);
    expect([state(), tab.here()]).toEqual(['/user', '/blog/admin/user#main']);
    await tab.back(2);
    await say(true);
    expect([state(), tab.here()]).toEqual(['/essay', '/blog/admin/essay']);
  });
});

test('after a reload, Back can still be undone', async () => {
  const first = start();
  await first.router.navigate('/essay');
  await first.router.navigate('/user');
  const { here } = tab;
  const urls = tab.urls();
  const { router, state } = start();
  const { ask, say } = unsaved();
  router.guard(ask);
  await tab.back();
  await say(false);
  expect([state(), here(), tab.urls()]).toEqual(['/user', '/blog/admin/user', urls]);
});
