import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDiskFiles } from './disk.ts';
import { FileMissing } from './files.ts';

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-files-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return { dataDir, files: await createDiskFiles({ dataDir, basePath: '/blog', s3: null }) };
}

test('a failed write leaves no temporary file', async () => {
  const { dataDir, files } = await open();
  const content = Buffer.from('picture');
  const path = await files.put(content, 'webp');
  const target = join(dataDir, path);
  await rm(target);
  // A folder with the file's name makes the rename fail.
  await mkdir(join(target, 'x'), { recursive: true });
  await expect(files.put(content, 'webp')).rejects.toThrow();
  expect(await readdir(dirname(target))).toEqual([path.slice(path.lastIndexOf('/') + 1)]);
});

test('reads, lists and removes files, and restores only matching content', async () => {
  const { dataDir, files } = await open();
  const publicPath = await files.put(Buffer.from('picture'), 'webp');
  const privatePath = await files.storePrivate(
    await files.receive('a.txt', Readable.from([Buffer.from('text')])),
  );
  expect(await files.readBuffer(publicPath)).toEqual(Buffer.from('picture'));
  expect(await text(await files.read(privatePath, { start: 1, end: 2 }))).toBe('ex');
  const listed = await Array.fromAsync(files.list());
  expect(listed).toEqual([
    { path: publicPath, bytes: 7 },
    { path: privatePath, bytes: 4 },
  ]);
  expect(files.urlOf(publicPath)).toBe(`/blog${publicPath}`);
  expect(await files.check()).toMatchObject({ kind: 'disk', where: dataDir });

  for (const path of [publicPath, privatePath]) await files.remove(path);
  expect(await Array.fromAsync(files.list())).toEqual([]);
  await expect(files.read(publicPath)).rejects.toThrow(FileMissing);
  await expect(files.restore(privatePath, Readable.from([Buffer.from('next')]))).rejects.toThrow(privatePath);
  await expect(files.restore('/files/../x', Readable.from([]))).rejects.toThrow('not a file path');
  await files.restore(privatePath, Readable.from([Buffer.from('text')]));
  await files.restore(publicPath, Readable.from([Buffer.from('picture')]));
  expect(await Array.fromAsync(files.list())).toEqual(listed);
  expect(await readdir(join(dataDir, 'private/incoming'))).toEqual([]);
});

test('deletes temporary files that a crashed process left behind', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { dataDir } = await open();
  const incoming = join(dataDir, 'private/incoming');
  for (const name of ['left', 'fresh']) await writeFile(join(incoming, name), '');
  const before = new Date(Date.now() - 7 * 3_600_000);
  await utimes(join(incoming, 'left'), before, before);
  vi.advanceTimersByTime(3_600_000);
  await expect.poll(() => readdir(incoming)).toEqual(['fresh']);
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const modesOf = (...paths: string[]) => Promise.all(paths.map(modeOf));

test('aborting a receive stops the stream and deletes the temporary file', async () => {
  const { dataDir, files } = await open();
  const stop = new AbortController();
  const endless = new Readable({ read() {} });
  endless.push('a');
  const received = files.receive('a.txt', endless, stop.signal);
  stop.abort(new Error('gone'));
  await expect(received).rejects.toThrow();
  expect(endless.destroyed).toBe(true);
  expect(await readdir(join(dataDir, 'private/incoming'))).toEqual([]);
});

test('private and temporary files are readable only by their owner, public ones by everyone', async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const { dataDir, files } = await open();
  const received = await files.receive('a.txt', Readable.from([Buffer.from('text')]));
  const incoming = join(dataDir, 'private/incoming');
  expect(await modesOf(join(dataDir, 'private'), incoming, received.location)).toEqual(['700', '700', '600']);
  const privatePath = join(dataDir, await files.storePrivate(received));
  expect(await modesOf(dirname(privatePath), privatePath)).toEqual(['700', '600']);
  const publicPath = await files.put(Buffer.from('picture'), 'webp');
  process.umask(0o022);
  await rm(join(dataDir, publicPath));
  await files.restore(publicPath, Readable.from([Buffer.from('picture')]));
  expect(await modeOf(join(dataDir, publicPath))).toBe('644');
});

test('restricts private files that an older version left open, also after an interruption', async () => {
  const { dataDir, files } = await open();
  const names = ['one', 'two', 'three'];
  const paths = await Promise.all(
    names.map(async (name) => {
      const received = await files.receive(name, Readable.from([Buffer.from(name)]));
      return join(dataDir, await files.storePrivate(received));
    }),
  );
  const folders = paths.map(dirname);
  const left = join(dataDir, 'private/incoming/left');
  await writeFile(left, '', { mode: 0o644 });
  const all = [join(dataDir, 'private'), dirname(left), ...folders];
  for (const folder of all) await chmod(folder, 0o755);
  for (const path of paths) await chmod(path, 0o644);
  // As if it had been interrupted after the first folder.
  await chmod(all[0] ?? '', 0o700);
  await chmod(paths[0] ?? '', 0o600);
  await chmod(folders[0] ?? '', 0o700);
  await createDiskFiles({ dataDir, basePath: '', s3: null });
  expect(new Set(await modesOf(...all))).toEqual(new Set(['700']));
  expect(new Set(await modesOf(left, ...paths))).toEqual(new Set(['600']));
});

test('does not check the files of a restricted folder again', async () => {
  const { dataDir, files } = await open();
  const received = await files.receive('a', Readable.from([Buffer.from('a')]));
  const path = join(dataDir, await files.storePrivate(received));
  await chmod(path, 0o640);
  await createDiskFiles({ dataDir, basePath: '', s3: null });
  expect(await modeOf(path)).toBe('640');
});

if (process.getuid?.() === 0) {
  test('files created by root get the owner of the data folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-files-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    await chown(dataDir, 1234, 1234);
    const files = await createDiskFiles({ dataDir, basePath: '', s3: null });
    const received = await files.receive('a', Readable.from([Buffer.from('a')]));
    const privatePath = join(dataDir, await files.storePrivate(received));
    const publicPath = join(dataDir, await files.put(Buffer.from('b'), 'webp'));
    const created = [privatePath, publicPath].flatMap((path) => [
      path,
      dirname(path),
      dirname(dirname(path)),
    ]);
    for (const path of created) expect(await stat(path), path).toMatchObject({ uid: 1234, gid: 1234 });
  });
}
