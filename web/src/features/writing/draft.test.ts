import { expect, test } from 'vitest';
import { changesOf, emptyDraft, mergeDrafts } from './draft.ts';

const base = { ...emptyDraft, title: '题', content: '文', tags: ['甲'] };

test('only what differs is sent; equal lists are equal', () => {
  expect(changesOf(base, { ...base, tags: ['甲'], content: '文二' })).toEqual({ content: '文二' });
});

test('each side keeps what it alone has changed', () => {
  const { merged, clashes } = mergeDrafts(base, { ...base, tags: ['乙'] }, { ...base, content: '他的' });
  expect(merged).toEqual({ ...base, tags: ['乙'], content: '他的' });
  expect(clashes).toEqual([]);
});

test('what both have changed is a clash, unless they agree', () => {
  const { merged, clashes } = mergeDrafts(
    base,
    { ...base, title: '同', content: '我的' },
    { ...base, title: '同', content: '他的' },
  );
  expect(clashes).toEqual(['content']);
  expect(merged).toMatchObject({ title: '同', content: '我的' });
});
