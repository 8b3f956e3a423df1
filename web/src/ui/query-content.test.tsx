import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LoadingSkeleton, SkeletonRows } from './loading-skeleton.tsx';
import { QueryContent } from './query-content.tsx';

const refetch = (() => {}) as never;
const render = (data: string | null | undefined, error: Error | null) =>
  renderToStaticMarkup(
    <QueryContent query={{ data, error, refetch }} loading="waiting">
      {(text) => `content: ${text}`}
    </QueryContent>,
  );

test('renders the data, also when it is null', () => {
  expect(render('data', null)).toBe('content: data');
  expect(render(null, null)).toBe('content: null');
});

test('keeps the previous data when a refetch fails', () => {
  expect(render('data', new Error('no connection'))).toBe('content: data');
});

test('renders the loading state, then a retry button after an error', () => {
  expect(render(undefined, null)).toBe('waiting');
  expect(render(undefined, new Error('no connection'))).toContain('再试一次');
});

test('renders skeleton lines with their sizes and announces loading', () => {
  const html = renderToStaticMarkup(<LoadingSkeleton className="box" lines={['30', '82 m']} />);
  expect(html).toContain('正在载入…');
  expect(html).toMatch(/<div class="box" aria-hidden="true">(<span class="[^"]+"><\/span>){2}<\/div>$/);
  const [first, second] = [...html.matchAll(/<span class="([^"]+)">/g)].map(([, name]) => name);
  expect(first).toMatch(/w30/);
  expect(second).toMatch(/w82/);
  expect(second).not.toBe(first?.replace('w30', 'w82'));
});

test('starts each skeleton row with a line of its own width', () => {
  const html = renderToStaticMarkup(<SkeletonRows className="row" widths={['70', '50']} rest={['30']} />);
  expect(html.match(/<div class="row">/g)).toHaveLength(2);
  expect([...html.matchAll(/w(\d+)/g)].map(([, width]) => width)).toEqual(['70', '30', '50', '30']);
});
