import { expect, test } from 'vitest';
import { readFormat } from './read-format.ts';
import type { ImportedItem, Upload } from './types.ts';

test('stops reading a file that takes too long, and reports where', async () => {
  // Every paragraph reopens all these elements: twelve million nodes.
  const hostile = Array.from({ length: 60 }, (_, n) => `<b id=${n}>`).join('') + '<p>x'.repeat(200_000);
  const posts = [
    { id: 1, title: '好的', html: '<p>一段话</p>', status: 'published' },
    { id: 2, title: '坏的', html: hostile, status: 'published' },
  ];
  const json = JSON.stringify({ db: [{ data: { posts } }] });
  const archive: Upload = {
    names: () => ['ghost.json'],
    modifiedAt: () => null,
    readContent: async () => new TextEncoder().encode(json).buffer,
    readStart: async () => json,
  };
  const read: ImportedItem[] = [];
  const reading = async () => {
    for await (const item of readFormat('ghost', archive, 8000)) read.push(item);
  };
  await expect(reading()).rejects.toThrow('「好的」之后的内容太大或太复杂，无法读取');
  expect(read).toHaveLength(1);
});
