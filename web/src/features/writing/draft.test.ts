import { expect, test } from 'vitest';
import { changesOf, emptyDraft, mergeDrafts } from './draft.ts';

const base = { ...emptyDraft, title: '题', content: '文', tags: ['甲'] };

test('sends only differing fields and treats equal lists as equal', () => {
  expect(changesOf(base, { ...base, tags: ['甲'], content: '文二' })).toEqual({ content: '文二' });
});

test('keeps fields that only one side has changed', () => {
  const { merged, conflicts } = mergeDrafts(base, { ...base, tags: ['乙'] }, { ...base, content: '他的' });
  expect(merged).toEqual({ ...base, tags: ['乙'], content: '他的' });
  expect(conflicts).toEqual([]);
});

test('reports a conflict when both sides changed a field to different values', () => {
  const { merged, conflicts } = mergeDrafts(
    base,
    { ...base, title: '同', content: '我的' },
    { ...base, title: '同', content: '他的' },
  );
  expect(conflicts).toEqual(['content']);
  expect(merged).toMatchObject({ title: '同', content: '我的' });
});
