import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import type { S3Config } from '../config/s3.ts';
import { startTestS3, type TestS3 } from '../testing/s3.ts';
import { createDiskFiles } from './disk.ts';
import { FileMissing, type FileStore } from './files.ts';
import { moveFiles } from './move.ts';
import { createS3Files } from './s3.ts';

let s3: TestS3;
let dataDir: string;
let files: FileStore;
beforeAll(async () => {
  s3 = await startTestS3();
  dataDir = await mkdtemp(join(tmpdir(), 'mozhan-files-'));
  files = await open();
});
afterAll(async () => {
  await s3.close();
  await rm(dataDir, { recursive: true });
});

const open = (given: Partial<S3Config> = {}) => {
  const config = { ...s3.config, ...given };
  return createS3Files({ dataDir, basePath: '/blog', s3: config }, config);
};
const receive = (...parts: (string | Buffer)[]) =>
  files.receive('a.txt', Readable.from(parts.map((part) => Buffer.from(part))));
const incoming = () => readdir(join(dataDir, 'private/incoming'));

test('reads, lists and removes files, and restores only matching content', async () => {
  const publicPath = await files.put(Buffer.from('picture'), 'webp');
  const privatePath = await files.storePrivate(await receive('te', 'xt'));
  expect(await files.readBuffer(publicPath)).toEqual(Buffer.from('picture'));
  expect(await text(await files.read(privatePath, { start: 1, end: 2 }))).toBe('ex');
  const listed = await Array.fromAsync(files.list());
  expect(listed).toEqual([
    { path: publicPath, bytes: 7 },
    { path: privatePath, bytes: 4 },
  ]);
  expect(files.urlOf(publicPath)).toBe(`/blog${publicPath}`);
  expect(await files.check()).toEqual({ kind: 's3', where: `${s3.url}/mozhan-test`, freeBytes: null });

  for (const path of [publicPath, privatePath, privatePath]) await files.remove(path);
  expect(await Array.fromAsync(files.list())).toEqual([]);
  await expect(files.read(publicPath)).rejects.toThrow(FileMissing);
  await expect(files.read('/files/../incoming/x')).rejects.toThrow('not a file path');
  await expect(files.restore(privatePath, Readable.from([Buffer.from('next')]))).rejects.toThrow(privatePath);
  await files.restore(privatePath, Readable.from([Buffer.from('text')]));
  await files.restore(publicPath, Readable.from([Buffer.from('picture')]));
  expect(await Array.fromAsync(files.list())).toEqual(listed);
  expect(await incoming()).toEqual([]);
});

test('retries after server errors, and reports an unavailable store', async () => {
  s3.failNext(503, 0, 500);
  const path = await files.put(Buffer.from('in the end'), 'webp');
  expect(await text(await files.read(path))).toBe('in the end');
  s3.failNext(503, 503, 503, 503);
  const refused = files.put(Buffer.from('never'), 'webp');
  await expect(refused).rejects.toThrow(CallError);
  await expect(refused).rejects.toMatchObject({ status: 503 });
});

test('a wrong configuration fails at start', async () => {
  await expect(open({ secretKey: 'wrong' })).rejects.toThrow(/S3_SECRET_KEY/);
  await expect(open({ accessKey: 'WRONG' })).rejects.toThrow(ConfigError);
  await expect(open({ endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(/无法连接 S3_ENDPOINT/);
});

test('refuses a public URL at which private files are readable', async () => {
  const opened = await open({ publicUrl: `${s3.url}/public` });
  const path = await opened.put(Buffer.from('seen by all'), 'webp');
  const response = await fetch(opened.urlOf(path));
  expect(await response.text()).toBe('seen by all');
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('cache-control')).toContain('immutable');
  await expect(open({ publicUrl: `${s3.url}/careless` })).rejects.toThrow(/私有文件也能从这里读到/);
});

test('moves files from disk, except broken ones and those already stored', async () => {
  const disk = await createDiskFiles({ dataDir, basePath: '', s3: null });
  const [good, same, broken] = [
    await disk.put(Buffer.from('to be moved'), 'webp'),
    await disk.put(Buffer.from('there already'), 'webp'),
    await disk.put(Buffer.from('sound'), 'webp'),
  ];
  await files.put(Buffer.from('there already'), 'webp');
  await writeFile(join(dataDir, broken), 'rotten');
  expect(await moveFiles(disk, files)).toEqual({ copied: 1, alreadyStored: 1, broken: [broken] });
  for (const path of [good, same]) expect(await files.readBuffer(path)).toEqual(await disk.readBuffer(path));
  expect(await moveFiles(disk, files)).toEqual({ copied: 0, alreadyStored: 2, broken: [broken] });
});
