import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { layOutSamples, makeSampleBook } from '../../../testing/books.ts';

/** Where Debian's package has it; the program `epubcheck` is a link to it, which not every system runs by itself. */
const EPUBCHECK = '/usr/share/java/epubcheck.jar';

test('EPUBCheck finds books of all examples, attacks and random texts valid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-books-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'book.epub');
  await writeFile(path, makeSampleBook(await layOutSamples()));
  const { stdout } = await promisify(execFile)('java', ['-jar', EPUBCHECK, '--json', '-', '--quiet', path], {
    maxBuffer: 2 ** 28,
  }).catch((error: { stdout?: string; message: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw new Error(`EPUBCheck did not run: ${error.message}`);
  });
  const { messages } = JSON.parse(stdout) as { messages: { severity: string }[] };
  expect(messages.filter(({ severity }) => ['FATAL', 'ERROR', 'WARNING'].includes(severity))).toEqual([]);
});
