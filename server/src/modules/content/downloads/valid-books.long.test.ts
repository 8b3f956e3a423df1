import { EpubCheck } from '@likecoin/epubcheck-ts';
import { expect, test } from 'vitest';
import { createSampleBook, renderSamples } from '../../../testing/sample-book.ts';
import { listInvalidNestings } from '../../platform/text/nesting-fixture.ts';

async function listProblems(book: Buffer): Promise<string[]> {
  const { messages } = await EpubCheck.validate(book);
  return messages
    .filter(({ severity }) => ['fatal', 'error', 'warning'].includes(severity))
    .map(({ id, message, location }) => `${id} ${message} ${location?.path}`);
}

test('books of all examples, attacks and random texts are valid', { timeout: 300_000 }, async () => {
  const samples = await renderSamples();
  expect(samples.length).toBeGreaterThan(1400);
  // This checker verifies nesting less strictly than EPUBCheck.
  const misplaced = samples.flatMap(({ file, html }) =>
    listInvalidNestings(html).map((each) => `${file}: ${each}`),
  );
  expect(misplaced).toEqual([]);
  expect(await listProblems(createSampleBook(samples))).toEqual([]);
});

test('both checks detect errors', { timeout: 60_000 }, async () => {
  expect(listInvalidNestings('<ul>甲</ul><b><p>乙</p></b><summary>丙</summary>')).toEqual([
    'ul > text',
    'b > p',
    'body > summary',
  ]);
  expect(await listProblems(createSampleBook([{ file: 'one.xhtml', html: '<mrow>甲</mrow>' }]))).toEqual([
    expect.stringContaining('RSC-005'),
  ]);
});
