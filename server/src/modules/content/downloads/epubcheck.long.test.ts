import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createSampleBook, renderSamples } from '../../../testing/sample-book.ts';

/** Path of Debian's package. The `epubcheck` command links to this file but is not executable on every system. */
const EPUBCHECK = '/usr/share/java/epubcheck.jar';

test('EPUBCheck accepts books of all examples, attacks and random texts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-books-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'book.epub');
  await writeFile(path, createSampleBook(await renderSamples()));
  const { stdout } = await promisify(execFile)('java', ['-jar', EPUBCHECK, '--json', '-', '--quiet', path], {
    maxBuffer: 2 ** 28,
  }).catch((error: { stdout?: string; message: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw new Error(`EPUBCheck did not run: ${error.message}`);
  });
  const { messages } = JSON.parse(stdout) as { messages: { severity: string }[] };
  expect(messages.filter(({ severity }) => ['FATAL', 'ERROR', 'WARNING'].includes(severity))).toEqual([]);
});
