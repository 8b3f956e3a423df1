import { expect, test } from 'vitest';
import { createAnalysis } from './analysis.ts';
import { analyseFormat, findFormat } from './read-format.ts';
import type { ImportedEssay } from './types.ts';

const essay: ImportedEssay = {
  kind: 'essay',
  key: 'a',
  sourceId: 'hexo:a.test:a',
  section: '',
  title: '一篇',
  slug: '',
  content: '正文',
  summary: '',
  tags: [],
  categories: [],
  cover: null,
  author: null,
  authors: [],
  status: 'published',
  statusReason: '',
  isPinned: false,
  commentsClosed: false,
  createdAt: null,
  publishedAt: new Date(0),
  updatedAt: null,
  invalidDates: [],
  oldUrls: [],
  pictures: [],
  remotePictures: [],
  attachments: [],
  remoteAttachments: [],
  internalLinks: [],
  comments: [],
  notes: [],
};

test('lists are limited, totals are not', () => {
  const analysis = createAnalysis(() => 0, new Date());
  for (let n = 0; n < 3000; n += 1)
    analysis.add({
      ...essay,
      key: `${n}`,
      title: `${n}`.repeat(400),
      status: 'draft',
      statusReason: `原因 ${n}`,
      categories: [`类 ${n}`, 'x'.repeat(101), '常见'],
      author: { account: `a${n}`, displayName: 'x'.repeat(1000) },
      notes: [`注 ${n}`],
    });
  const { counts, categories, authors, drafts, notes } = analysis.result();
  expect(counts).toMatchObject({ essays: 3000, categories: 3002, authors: 3000 });
  expect([categories.length, authors.length]).toEqual([1000, 1000]);
  expect(categories[0]).toEqual({ name: '常见', count: 3000 });
  expect(drafts.total).toBe(3000);
  expect([drafts.list.length, drafts.reasons.length, notes.total, notes.list.length]).toEqual([
    100, 20, 3000, 100,
  ]);
  expect(Math.max(...drafts.list.map(({ title }) => title.length))).toBe(200);
});

test('what PostgreSQL cannot store is left out', () => {
  const analysis = createAnalysis(() => 0, new Date());
  analysis.add({
    ...essay,
    title: `${'字'.repeat(199)}😀\0`,
    status: 'draft',
    categories: ['a\0b', '\ud800', '好'],
    author: { account: 'x\0', displayName: 'x' },
  });
  const { categories, authors, drafts } = analysis.result();
  expect(categories).toEqual([{ name: '好', count: 1 }]);
  expect(authors).toEqual([]);
  expect(drafts.list[0]?.title.isWellFormed()).toBe(true);
});

test('files that are too large are refused, and each file counts once', () => {
  const analysis = createAnalysis((name) => (name === 'big.png' ? 11 * 1024 * 1024 : 10), new Date());
  for (const key of ['a', 'b'])
    analysis.add({ ...essay, key, pictures: ['big.png', 'small%20one.png'], cover: 'small one.png' });
  const { counts, refused } = analysis.result();
  expect(counts).toMatchObject({ pictures: 2, covers: 2 });
  expect(refused.list).toEqual([{ title: 'big.png', reason: '图片超过 10 MB' }]);
});

test('texts stay in the worker thread: what the main thread gets does not grow with them', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `source/_posts/${n}.md`);
  const text = new TextEncoder().encode(`---\ntitle: 长\n---\n\n${'字'.repeat(20_000)}`);
  const upload = {
    names: () => names,
    modifiedAt: () => null,
    sizeOf: () => text.length,
    readContent: async () => text.slice().buffer,
    readStart: async () => '',
  };
  const parts = await Array.fromAsync(analyseFormat('hexo', upload));
  // The number of texts read so far is sent after each 50, and every two seconds.
  const counts = parts.flatMap((part) => ('count' in part ? [part.count] : []));
  expect(counts.reduce((sum, count) => sum + count)).toBe(names.length);
  expect(counts[0]).toBeLessThanOrEqual(50);
  const others = parts.filter((part) => !('count' in part));
  expect(others.map((part) => Object.keys(part)[0])).toEqual(['analysis', 'found']);
  expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(20_000);
  expect(parts).toContainEqual({
    analysis: expect.objectContaining({ refused: expect.objectContaining({ total: 0 }) }),
  });
});

test('the worker thread gets the names in batches, and detects the format by them', async () => {
  const toUpload = (names: string[]) => ({
    names: () => names,
    modifiedAt: () => null,
    sizeOf: () => 10,
    readContent: async () => new TextEncoder().encode('---\ntitle: 短\n---\n\n![图](/last.png)').buffer,
    readStart: async () => '',
  });
  const pictures = Array.from({ length: 2500 }, (_, n) => `source/${n}.png`);
  const upload = toUpload(['source/_posts/a.md', ...pictures, 'source/last.png']);
  expect(await findFormat(upload)).toBe('hexo');
  expect(await findFormat(toUpload(pictures))).toBeNull();
  expect(await Array.fromAsync(analyseFormat('hexo', upload))).toContainEqual({
    analysis: expect.objectContaining({ counts: expect.objectContaining({ essays: 1, pictures: 1 }) }),
  });
});
