import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { expect, test, vi } from 'vitest';
import { lazyComponent } from './lazy-component.ts';

const Hello = ({ name }: { name: string }) => <p>你好，{name}</p>;

test('loads the module on first render and renders the named export', async () => {
  const load = vi.fn(async () => ({ Hello, other: 7 }));
  const Greeting = lazyComponent(load, 'Hello');
  expect(load).not.toHaveBeenCalled();
  const { prelude } = await prerender(
    <Suspense>
      <Greeting name="林砚" />
    </Suspense>,
  );
  expect(await new Response(prelude).text()).toContain('<p>你好，<!-- -->林砚</p>');
  expect(load).toHaveBeenCalledTimes(1);
});

test('renders what was preloaded without suspending', async () => {
  const Greeting = lazyComponent(async () => ({ Hello }), 'Hello');
  await Greeting.preload();
  expect(renderToString(<Greeting name="周野" />)).toContain('周野');
});
