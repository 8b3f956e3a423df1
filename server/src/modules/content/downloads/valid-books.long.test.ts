import { EpubCheck } from '@likecoin/epubcheck-ts';
import { expect, test } from 'vitest';
import { layOutSamples, makeSampleBook } from '../../../testing/books.ts';
import { listMisplaced } from '../../platform/text/placement-fixture.ts';

async function listProblems(book: Buffer): Promise<string[]> {
  const { messages } = await EpubCheck.validate(book);
  return messages
    .filter(({ severity }) => ['fatal', 'error', 'warning'].includes(severity))
    .map(({ id, message, location }) => `${id} ${message} ${location?.path}`);
}

test('books of all examples, attacks and random texts are valid', { timeout: 300_000 }, async () => {
  const samples = await layOutSamples();
  expect(samples.length).toBeGreaterThan(1400);
  // Of nesting the checker knows less than EPUBCheck itself.
  const misplaced = samples.flatMap(({ file, html }) =>
    listMisplaced(html).map((each) => `${file}: ${each}`),
  );
  expect(misplaced).toEqual([]);
  expect(await listProblems(makeSampleBook(samples))).toEqual([]);
});

test('both checks find what is wrong', { timeout: 60_000 }, async () => {
  expect(listMisplaced('<ul>甲</ul><b><p>乙</p></b><summary>丙</summary>')).toEqual([
    'ul > text',
    'b > p',
    'body > summary',
  ]);
  expect(await listProblems(makeSampleBook([{ file: 'one.xhtml', html: '<mrow>甲</mrow>' }]))).toEqual([
    expect.stringContaining('RSC-005'),
  ]);
});
