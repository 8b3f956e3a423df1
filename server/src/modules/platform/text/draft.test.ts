import { expect, test } from 'vitest';
import { draftToHtml } from './draft.ts';
import {
  createRandom,
  createText,
  draftOptions,
  expectSameAfterChanges,
  expectSameAsWhole,
} from './draft-fixture.ts';

test('a long draft that is changed at random is rendered like the whole text', () =>
  expectSameAfterChanges(1, 4));

test('changes at the beginning and the end, and an emptied draft', async () => {
  const text = createText(createRandom(9), 320);
  for (const changed of [text, `开头\n\n${text}`, `\n\n${text}`, text.slice(500), `${text}\n\n结尾`, '']) {
    await expectSameAsWhole(changed);
  }
});

test('renders the pictures of a section again when their sizes become known', async () => {
  const text = `![图](/files/ab/c.webp)\n\n${createText(createRandom(5), 320)}`;
  expect((await draftToHtml(text, draftOptions)).html).not.toContain('width="640"');
  const pictures = {
    '/files/ab/c.webp': { width: 640, height: 480, thumb: '/files/ab/c.webp', middle: null },
  };
  expect((await draftToHtml(text, { ...draftOptions, pictures })).html).toContain('width="640"');
});

test('remembers more than one draft', async () => {
  const [one, two] = [createText(createRandom(21), 320), createText(createRandom(22), 320)];
  for (const text of [one, two, `${one}甲`, `${two}乙`]) await expectSameAsWhole(text);
});
