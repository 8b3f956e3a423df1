import { expect, test } from 'vitest';
import { type DraftOptions, draftToHtml } from './draft.ts';
import {
  createRandom,
  createText,
  draftOptions,
  expectSameAfterChanges,
  expectSameAsWhole,
} from './draft-fixture.ts';

test('a long draft that is changed at random is rendered like the whole text', () =>
  expectSameAfterChanges(1, 2));

test('changes at the beginning and the end, and an emptied draft', async () => {
  const text = createText(createRandom(9), 320);
  for (const changed of [text, `开头\n\n${text}`, `\n\n${text}`, text.slice(500), `${text}\n\n结尾`, '']) {
    await expectSameAsWhole(changed);
  }
});

test('renders the pictures of a section again when their sizes become known', async () => {
  const text = `![图](/files/ab/c.webp)\n\n${createText(createRandom(5), 320)}`;
  const htmlWith = async (options: DraftOptions) =>
    (await draftToHtml(text, options)).sections.map(({ html }) => html).join('');
  expect(await htmlWith(draftOptions)).not.toContain('width="640"');
  const pictures = {
    '/files/ab/c.webp': { width: 640, height: 480, thumb: '/files/ab/c.webp', middle: null },
  };
  expect(await htmlWith({ ...draftOptions, pictures })).toContain('width="640"');
});

test('remembers more than one draft', async () => {
  const [one, two] = [createText(createRandom(21), 320), createText(createRandom(22), 320)];
  for (const text of [one, two, `${one}甲`, `${two}乙`]) await expectSameAsWhole(text);
});

test.each([
  { kind: 'rendered in sections', rest: '' },
  { kind: 'rendered as a whole', rest: '\n\n[^1]: 注\n\n文[^1]' },
])('returns only sections that are not known, of a text $kind', async ({ rest }) => {
  const text = createText(createRandom(31), 640) + rest;
  const { sections } = await draftToHtml(text, draftOptions);
  const known = sections.map(({ id }) => id);
  const middle = text.indexOf('\n\n', text.length / 2);
  const changed = `${text.slice(0, middle)}\n\n新的一段${text.slice(middle)}`;
  const after = await draftToHtml(changed, { ...draftOptions, known });
  const added = after.sections.filter(({ html }) => html !== null);
  expect(added.length).toBeGreaterThan(0);
  expect(added.length).toBeLessThan(sections.length / 2);
  expect(added.some(({ html }) => html?.includes('新的一段'))).toBe(true);
  expect(after.sections.every(({ id, html }) => html !== null || known.includes(id))).toBe(true);
});
