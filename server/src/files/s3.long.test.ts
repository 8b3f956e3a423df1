import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestS3, type TestS3 } from '../testing/s3.ts';
import type { FileStore } from './files.ts';
import { createS3Files } from './s3.ts';

let s3: TestS3;
let dataDir: string;
let files: FileStore;
beforeAll(async () => {
  s3 = await startTestS3();
  dataDir = await mkdtemp(join(tmpdir(), 'mozhan-files-'));
  files = await createS3Files({ dataDir, basePath: '', s3: s3.config }, s3.config);
});
afterAll(async () => {
  await s3.close();
  await rm(dataDir, { recursive: true });
});

test('uploads a large file in parts', async () => {
  const part = (nth: number) => Buffer.alloc(1024 * 1024, `part ${nth} `);
  const file = await files.receive('large', Readable.from(Array.from({ length: 70 }, (_, nth) => part(nth))));
  const from = s3.requests.length;
  const path = await files.storePrivate(file);
  const methods = s3.requests.slice(from).map((seen) => seen.replace(/ .*/, ''));
  expect(methods).toEqual(['POST', 'PUT', 'PUT', 'PUT', 'POST']);
  // restore rejects content that does not match the hash in the path.
  await files.restore(path, await files.read(path));
  const [start, end] = [40 * 1024 * 1024, 40 * 1024 * 1024 + 7];
  expect(await text(await files.read(path, { start, end }))).toBe('part 40 ');
  await files.remove(path);
});

test('lists more than one page of objects', async () => {
  const stored = new Set<string>();
  for (let nth = 0; nth < 1010; nth += 101)
    for (const path of await Promise.all(
      Array.from({ length: 101 }, (_, more) => files.put(Buffer.from(`${nth + more}`), 'webp')),
    ))
      stored.add(path);
  const listed = new Set((await Array.fromAsync(files.list())).map(({ path }) => path));
  expect([...stored].filter((path) => !listed.has(path))).toEqual([]);
  expect(stored.size).toBe(1010);
});
