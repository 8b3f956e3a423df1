import { expect, test } from 'vitest';
import { type CachedPage, createPageCache } from './page-cache.ts';

const page = (text: string, tags: string[] = [], status = 200): CachedPage => ({
  status,
  etag: `"${text}"`,
  headers: {},
  content: Buffer.from(text),
  compressed: null,
  tags: new Set(tags),
  renderedAt: 0,
});
const textOf = async (promise: Promise<CachedPage>) => (await promise).content.toString();

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

test('concurrent misses render a page once, and it is cached', async () => {
  const cache = createPageCache(() => 0);
  let renders = 0;
  const render = async () => {
    renders += 1;
    return page('a');
  };
  await Promise.all([cache.get('/a', render), cache.get('/a', render), cache.get('/a', render)]);
  await cache.get('/a', render);
  expect(renders).toBe(1);
  expect(cache.stats()).toMatchObject({ pages: 1, hits: 1, misses: 3 });
});

test('invalidating a tag removes only the pages with that tag', async () => {
  const cache = createPageCache(() => 0);
  await cache.get('/a', async () => page('a', ['user:1']));
  await cache.get('/b', async () => page('b', ['user:2']));
  cache.invalidate(['user:1', 'user:9']);
  expect(await textOf(cache.get('/a', async () => page('new a')))).toBe('new a');
  expect(await textOf(cache.get('/b', async () => page('new b')))).toBe('b');
});

test('a rendering that started before an invalidation is neither cached nor shared', async () => {
  const cache = createPageCache(() => 0);
  const { open, passed } = gate();
  const before = cache.get('/a', async () => {
    await passed;
    return page('old', ['site']);
  });
  cache.invalidate(['site']);
  const after = cache.get('/a', async () => page('new', ['site']));
  open();
  expect(await textOf(before)).toBe('old');
  expect(await textOf(after)).toBe('new');
  expect(await textOf(cache.get('/a', async () => page('newest')))).toBe('new');
});

test('invalidating another tag does not prevent caching of a running rendering', async () => {
  const cache = createPageCache(() => 0);
  const { open, passed } = gate();
  const slow = cache.get('/a', async () => {
    await passed;
    return page('a', ['user:1']);
  });
  cache.invalidate(['user:2']);
  open();
  await slow;
  expect(await textOf(cache.get('/a', async () => page('again')))).toBe('a');
});

test('serves a stale page once more while a fresh one is rendered', async () => {
  let now = 0;
  const cache = createPageCache(() => now);
  await cache.get('/a', async () => page('old'));
  now = 61_000;
  expect(await textOf(cache.get('/a', async () => ({ ...page('fresh'), renderedAt: now })))).toBe('old');
  expect(await textOf(cache.get('/a', async () => page('later')))).toBe('fresh');
});

test('does not serve a page that is too old', async () => {
  let now = 0;
  const cache = createPageCache(() => now);
  await cache.get('/a', async () => page('old'));
  now = 11 * 60_000;
  expect(await textOf(cache.get('/a', async () => page('fresh')))).toBe('fresh');
});

test('does not cache errors and unknown pages', async () => {
  const cache = createPageCache(() => 0);
  await expect(cache.get('/a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  await cache.get('/a', async () => page('missing', [], 404));
  expect(await textOf(cache.get('/a', async () => page('found')))).toBe('found');
});

test('evicts the least recently used pages', async () => {
  const cache = createPageCache(() => 0);
  // Includes the key and object overhead.
  const megabyte = 'x'.repeat(1024 * 1024 - 2048);
  for (let i = 0; i < 64; i++) await cache.get(`/${i}`, async () => page(megabyte));
  await cache.get('/0', async () => page('again'));
  await cache.get('/64', async () => page(megabyte));
  expect(cache.stats().bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  expect((await cache.get('/0', async () => page('again'))).content.length).toBe(megabyte.length);
  expect(await textOf(cache.get('/1', async () => page('again')))).toBe('again');
});

test('caches nothing while disabled', async () => {
  const cache = createPageCache(() => 0);
  await cache.get('/a', async () => page('old'));
  cache.setEnabled(false);
  expect(await textOf(cache.get('/a', async () => page('one')))).toBe('one');
  expect(await textOf(cache.get('/a', async () => page('two')))).toBe('two');
  cache.setEnabled(true);
  await cache.get('/a', async () => page('three'));
  expect(await textOf(cache.get('/a', async () => page('four')))).toBe('three');
});

test('short-lived entries never evict pages', async () => {
  const cache = createPageCache(() => 0);
  await cache.get('/a', async () => page('a'));
  for (let at = 0; at < 1500; at += 1)
    await cache.get(`/api/?keyword=${at}`, async () => ({ ...page(`found ${at}`), maxAgeMs: 5000 }));
  expect(cache.stats().pages).toBe(1001);
  expect(await textOf(cache.get('/a', async () => page('new a')))).toBe('a');
  cache.invalidate(['site']);
  expect(await textOf(cache.get('/api/?keyword=1499', async () => page('again')))).toBe('found 1499');
  expect(await textOf(cache.get('/api/?keyword=0', async () => page('again')))).toBe('again');
});

const result = (value: unknown, ...tags: string[]) => ({ value, tags: new Set(tags) });

test('a call runs once for all pages until one of its tags is invalidated', async () => {
  const cache = createPageCache(() => 0);
  let runs = 0;
  const runCall = async () => result(++runs, 'site');
  const [first, second] = await Promise.all([
    cache.callResult('site', runCall),
    cache.callResult('site', runCall),
  ]);
  expect([first.value, second.value, (await cache.callResult('site', runCall)).value]).toEqual([1, 1, 1]);
  cache.invalidate(['user:1']);
  expect((await cache.callResult('site', runCall)).value).toBe(1);
  cache.invalidate(['site']);
  expect((await cache.callResult('site', runCall)).value).toBe(2);
});

test('a call that started before an invalidation is neither cached nor shared', async () => {
  const cache = createPageCache(() => 0);
  const { open, passed } = gate();
  const before = cache.callResult('site', async () => {
    await passed;
    return result('old', 'site');
  });
  cache.invalidate(['site']);
  const after = cache.callResult('site', async () => result('new', 'site'));
  open();
  expect([(await before).value, (await after).value]).toEqual(['old', 'new']);
  expect((await cache.callResult('site', async () => result('newest'))).value).toBe('new');
});

test('a call result expires, because counters change without invalidating a tag', async () => {
  let now = 0;
  const cache = createPageCache(() => now);
  await cache.callResult('essay', async () => result('41 reads'));
  now = 20_000;
  expect((await cache.callResult('essay', async () => result('42 reads'))).value).toBe('41 reads');
  now = 20_001;
  expect((await cache.callResult('essay', async () => result('42 reads'))).value).toBe('42 reads');
});

test('cached call results are bounded in size', async () => {
  const cache = createPageCache(() => 0);
  const large = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 20; at++) await cache.callResult(`${at}`, async () => result(large + at));
  expect((await cache.callResult('19', async () => result('anew'))).value).toBe(`${large}19`);
  expect((await cache.callResult('0', async () => result('anew'))).value).toBe('anew');
});

test('a failed call runs again, and a disabled cache stores no result', async () => {
  const cache = createPageCache(() => 0);
  await expect(cache.callResult('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  cache.setEnabled(false);
  await cache.callResult('a', async () => result('old'));
  expect((await cache.callResult('a', async () => result('new'))).value).toBe('new');
});
