import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from './files.ts';

test('what could not be stored leaves nothing behind', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-files-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const files = await createFiles(dataDir);
  const content = Buffer.from('picture');
  const path = await files.put(content, 'webp');
  const target = files.locate(path);
  await rm(target);
  // A folder in its place.
  await mkdir(join(target, 'x'), { recursive: true });
  await expect(files.put(content, 'webp')).rejects.toThrow();
  expect(await readdir(dirname(target))).toEqual([path.slice(path.lastIndexOf('/') + 1)]);
});
