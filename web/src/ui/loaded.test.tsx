import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Loaded } from './loaded.tsx';
import { SkeletonRows, Waiting } from './waiting.tsx';

const refetch = (() => {}) as never;
const show = (data: string | null | undefined, error: Error | null) =>
  renderToStaticMarkup(
    <Loaded query={{ data, error, refetch }} waiting="waiting">
      {(text) => `answer: ${text}`}
    </Loaded>,
  );

test('shows what was answered, also when that is nothing', () => {
  expect(show('words', null)).toBe('answer: words');
  expect(show(null, null)).toBe('answer: null');
});

test('keeps an older answer when asking again has failed', () => {
  expect(show('words', new Error('no connection'))).toBe('answer: words');
});

test('waits until there is an answer, and offers to try again when it failed', () => {
  expect(show(undefined, null)).toBe('waiting');
  expect(show(undefined, new Error('no connection'))).toContain('再试一次');
});

test('the shape of lines has their widths and heights, and says that something is on its way', () => {
  const html = renderToStaticMarkup(<Waiting className="box" lines={['30', '82 m']} />);
  expect(html).toContain('正在载入…');
  expect(html).toMatch(/<div class="box" aria-hidden="true">(<span class="[^"]+"><\/span>){2}<\/div>$/);
  const [first, second] = [...html.matchAll(/<span class="([^"]+)">/g)].map(([, name]) => name);
  expect(first).toMatch(/w30/);
  expect(second).toMatch(/w82/);
  expect(second).not.toBe(first?.replace('w30', 'w82'));
});

test('each row of a skeleton begins with a line of its own width', () => {
  const html = renderToStaticMarkup(<SkeletonRows className="row" widths={['70', '50']} rest={['30']} />);
  expect(html.match(/<div class="row">/g)).toHaveLength(2);
  expect([...html.matchAll(/w(\d+)/g)].map(([, width]) => width)).toEqual(['70', '30', '50', '30']);
});
