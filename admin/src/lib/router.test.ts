import { type FakeTab, openFakeTab } from '@mozhan/client/fake-tab.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRouter } from './router.ts';

let tab: FakeTab;
beforeEach(() => {
  tab = openFakeTab('https://site.test/blog/admin/');
});
afterEach(() => tab.close());

function start() {
  const router = createRouter('/blog/admin');
  router.start();
  const state = () =>
    `${router.location().path}${router.location().search.size ? `?${router.location().search}` : ''}`;
  return { router, state };
}

/** A guard that waits for the test to answer. */
function pendingGuard() {
  let answer: ((yes: boolean) => void) | undefined;
  const ask = vi.fn(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    answer = resolve;
    return promise;
  });
  const answerGuard = async (yes: boolean) => {
    answer?.(yes);
    await tab.waitForNavigation();
  };
  return { ask, answerGuard };
}

test.each([
  ['/blog/admin', '/', ''],
  ['/blog/admin/', '/', ''],
  ['/blog/admin/essay?keyword=%E5%A2%A8&page=2#main', '/essay', 'keyword=%E5%A2%A8&page=2'],
  ['/blog/admin/user%2F1', '/user%2F1', ''],
  ['/blog/admin/%E5%A2', '/%E5%A2', ''],
])('%s is the location %s', (address, path, search) => {
  tab.close();
  tab = openFakeTab(`https://site.test${address}`);
  const { router } = start();
  expect([router.location().path, router.location().search.toString()]).toEqual([path, search]);
});

test('href includes the base path', () => {
  expect(start().router.href('/essay?page=2')).toBe('/blog/admin/essay?page=2');
});

describe('without unsaved changes', () => {
  test('navigating scrolls to the top and notifies listeners', async () => {
    const { router, state } = start();
    const listener = vi.fn();
    const leave = router.subscribe(listener);
    tab.scroll(300);
    await router.navigate('/essay?page=2');
    expect([state(), tab.currentPath(), tab.scrollY()]).toEqual([
      '/essay?page=2',
      '/blog/admin/essay?page=2',
      0,
    ]);
    expect(listener).toHaveBeenCalledOnce();
    leave();
    await router.navigate('/user');
    expect(listener).toHaveBeenCalledOnce();
  });

  test('replace updates the URL without a history entry', async () => {
    const { router, state } = start();
    await router.navigate('/dict');
    await router.navigate('/dict?find=r', { sameScreen: true, replace: true });
    await router.navigate('/dict?find=re', { sameScreen: true, replace: true });
    expect([state(), tab.currentPath()]).toEqual(['/dict?find=re', '/blog/admin/dict?find=re']);
    await tab.back();
    expect(state()).toBe('/');
  });

  test('navigating to the current URL adds no history entry', async () => {
    const { router, state } = start();
    await router.navigate('/word?keyword=墨');
    await router.navigate('/word?keyword=%E5%A2%A8', { sameScreen: true });
    expect(tab.urls()).toHaveLength(2);
    await tab.back();
    expect(state()).toBe('/');
  });

  test('a change within the same screen keeps the scroll position', async () => {
    const { router, state } = start();
    await router.navigate('/essay');
    tab.scroll(300);
    await router.navigate('/essay?page=2', { sameScreen: true });
    expect([state(), tab.scrollY()]).toEqual(['/essay?page=2', 300]);
  });

  test('Back and Forward open the screens of their entries', async () => {
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

describe('with unsaved changes', () => {
  test('stays when the user refuses to leave by a link', async () => {
    const { router, state } = start();
    const { ask, answerGuard } = pendingGuard();
    router.guard(ask);
    const opened = router.navigate('/user');
    expect(ask).toHaveBeenCalledOnce();
    await answerGuard(false);
    await opened;
    expect([state(), tab.urls()]).toEqual(['/', ['/blog/admin/']]);
  });

  test('navigates when the user agrees to leave by a link', async () => {
    const { router, state } = start();
    const { ask, answerGuard } = pendingGuard();
    router.guard(ask);
    const opened = router.navigate('/user');
    await answerGuard(true);
    await opened;
    expect([state(), tab.currentPath()]).toEqual(['/user', '/blog/admin/user']);
  });

  test('a change within the same screen asks no guard', async () => {
    const { router, state } = start();
    const { ask } = pendingGuard();
    router.guard(ask);
    await router.navigate('/?page=2', { sameScreen: true });
    expect([state(), ask.mock.calls]).toEqual(['/?page=2', []]);
  });

  test.each([
    ['Back', (): Promise<void> => tab.back(), '/essay'],
    ['two steps back', (): Promise<void> => tab.back(2), '/'],
    ['Forward', (): Promise<void> => tab.forward(), '/dict'],
  ])(
    'restores the URL when the user refuses to leave by %s, and can leave later',
    async (_how, leave, to) => {
      const { router, state } = start();
      for (const path of ['/essay', '/user', '/dict']) await router.navigate(path);
      await tab.back();
      const entry = tab.state();
      const { ask, answerGuard } = pendingGuard();
      router.guard(ask);
      for (const attempts of [1, 2]) {
        await leave();
        expect([state(), tab.currentPath(), ask.mock.calls.length]).toEqual([
          '/user',
          '/blog/admin/user',
          attempts,
        ]);
        await answerGuard(false);
        expect([state(), tab.currentPath(), tab.state()]).toEqual(['/user', '/blog/admin/user', entry]);
      }
      await leave();
      await answerGuard(true);
      expect([state(), tab.currentPath(), ask.mock.calls.length]).toEqual([to, `/blog/admin${to}`, 3]);
      expect(tab.urls()).toEqual(['', 'essay', 'user', 'dict'].map((path) => `/blog/admin/${path}`));
    },
  );

  test('pressing Back again while a guard is waiting asks no second time', async () => {
    const { router, state } = start();
    await router.navigate('/essay');
    await router.navigate('/user');
    const { ask, answerGuard } = pendingGuard();
    router.guard(ask);
    await tab.back();
    await tab.back();
    expect([state(), tab.currentPath(), ask.mock.calls.length]).toEqual(['/user', '/blog/admin/user', 1]);
    await answerGuard(true);
    expect([state(), tab.currentPath(), ask.mock.calls.length]).toEqual(['/essay', '/blog/admin/essay', 1]);
  });

  test('asks the guards in order until one refuses', async () => {
    const { router, state } = start();
    const forms = [true, false, true].map((yes) => vi.fn(async () => yes));
    for (const ask of forms) router.guard(ask);
    await router.navigate('/user');
    expect(state()).toBe('/');
    expect(forms.map((ask) => ask.mock.calls.length)).toEqual([1, 1, 0]);
  });

  test('navigates without asking a guard that was removed', async () => {
    const { router, state } = start();
    const { ask } = pendingGuard();
    await router.navigate('/essay');
    router.guard(ask)();
    await tab.back();
    await router.navigate('/user');
    expect([state(), ask.mock.calls]).toEqual(['/user', []]);
  });
});

describe('with a form without unsaved changes', () => {
  test('Back opens the previous screen without delay', async () => {
    const { router, state } = start();
    await router.navigate('/user');
    router.guard(async () => true);
    await tab.back();
    expect([state(), tab.currentPath()]).toEqual(['/', '/blog/admin/']);
    await tab.forward();
    expect([state(), tab.currentPath()]).toEqual(['/user', '/blog/admin/user']);
  });

  test('a guard that remains after Back is still asked later', async () => {
    const { router, state } = start();
    await router.navigate('/user');
    await router.navigate('/user?page=2', { sameScreen: true });
    let isDirty = false;
    const { ask, answerGuard } = pendingGuard();
    router.guard(async () => !isDirty || ask());
    await tab.back();
    expect(state()).toBe('/user');
    isDirty = true;
    await tab.back();
    expect([state(), ask.mock.calls.length]).toEqual(['/user', 1]);
    await answerGuard(false);
    void router.navigate('/essay');
    await tab.waitForNavigation();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

describe('a jump inside the screen', () => {
  test('asks no guard, and going back through it can be undone', async () => {
    const { router, state } = start();
    await router.navigate('/essay');
    await router.navigate('/user');
    const { ask, answerGuard } = pendingGuard();
    router.guard(ask);
    tab.followFragment('#main');
    tab.followFragment('#main');
    await tab.waitForNavigation();
    expect([state(), tab.currentPath(), ask.mock.calls]).toEqual(['/user', '/blog/admin/user#main', []]);
    await tab.back();
    await tab.forward();
    expect([tab.currentPath(), ask.mock.calls]).toEqual(['/blog/admin/user#main', []]);
    await tab.back(2);
    expect(ask).toHaveBeenCalledOnce();
    await answerGuard(false);
    expect([state(), tab.currentPath()]).toEqual(['/user', '/blog/admin/user#main']);
    await tab.back(2);
    await answerGuard(true);
    expect([state(), tab.currentPath()]).toEqual(['/essay', '/blog/admin/essay']);
  });
});

test('after a reload, Back can still be undone', async () => {
  const first = start();
  await first.router.navigate('/essay');
  await first.router.navigate('/user');
  const { currentPath } = tab;
  const urls = tab.urls();
  const { router, state } = start();
  const { ask, answerGuard } = pendingGuard();
  router.guard(ask);
  await tab.back();
  await answerGuard(false);
  expect([state(), currentPath(), tab.urls()]).toEqual(['/user', '/blog/admin/user', urls]);
});
