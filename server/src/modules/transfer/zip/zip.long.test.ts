import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openZip } from './read.ts';
import { writeZip, type ZipFile } from './write.ts';

const COUNT = 66_000;

test('more files than an old ZIP can count', async () => {
  async function* many(): AsyncGenerator<ZipFile> {
    for (let i = 0; i < COUNT; i++)
      yield { name: `n/${i}`, modified: new Date(0), content: Buffer.from('x'), isPacked: true };
  }
  const zip = Buffer.concat(await Array.fromAsync(writeZip(many())));
  const { entries } = await openZip({
    bytes: zip.length,
    read: async ({ start, end }) => Readable.from([zip.subarray(start, end + 1)]),
  });
  expect(entries.size).toBe(COUNT);
  expect(Object.keys(unzipSync(zip))).toHaveLength(COUNT);
});
