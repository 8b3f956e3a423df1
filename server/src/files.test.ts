import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileMissing } from './files.ts';
import { createDiskFiles } from './files-disk.ts';

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-files-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return { dataDir, files: await createDiskFiles({ dataDir, basePath: '/blog', s3: null }) };
}

test('what could not be stored leaves nothing behind', async () => {
  const { dataDir, files } = await open();
  const content = Buffer.from('picture');
  const path = await files.put(content, 'webp');
  const target = join(dataDir, path);
  await rm(target);
  // A folder in its place.
  await mkdir(join(target, 'x'), { recursive: true });
  await expect(files.put(content, 'webp')).rejects.toThrow();
  expect(await readdir(dirname(target))).toEqual([path.slice(path.lastIndexOf('/') + 1)]);
});

test('what was put away is read, listed, removed, and put back only as it was', async () => {
  const { dataDir, files } = await open();
  const shown = await files.put(Buffer.from('picture'), 'webp');
  const hidden = await files.keepPrivate(await files.receive('a.txt', Readable.from([Buffer.from('text')])));
  expect(await files.readWhole(shown)).toEqual(Buffer.from('picture'));
  expect(await text(await files.read(hidden, { start: 1, end: 2 }))).toBe('ex');
  const listed = await Array.fromAsync(files.list());
  expect(listed).toEqual([
    { path: shown, bytes: 7 },
    { path: hidden, bytes: 4 },
  ]);
  expect(files.urlOf(shown)).toBe(`/blog${shown}`);
  expect(await files.check()).toMatchObject({ kind: 'disk', where: dataDir });

  for (const path of [shown, hidden]) await files.remove(path);
  expect(await Array.fromAsync(files.list())).toEqual([]);
  await expect(files.read(shown)).rejects.toThrow(FileMissing);
  await expect(files.restore(hidden, Readable.from([Buffer.from('next')]))).rejects.toThrow(hidden);
  await expect(files.restore('/files/../x', Readable.from([]))).rejects.toThrow('no path');
  await files.restore(hidden, Readable.from([Buffer.from('text')]));
  await files.restore(shown, Readable.from([Buffer.from('picture')]));
  expect(await Array.fromAsync(files.list())).toEqual(listed);
  expect(await readdir(join(dataDir, 'private/incoming'))).toEqual([]);
});

test('what a dead process left behind goes while another goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { dataDir } = await open();
  const incoming = join(dataDir, 'private/incoming');
  for (const name of ['left', 'fresh']) await writeFile(join(incoming, name), '');
  const before = new Date(Date.now() - 7 * 3_600_000);
  await utimes(join(incoming, 'left'), before, before);
  vi.advanceTimersByTime(3_600_000);
  await vi.waitFor(async () => expect(await readdir(incoming)).toEqual(['fresh']));
});
