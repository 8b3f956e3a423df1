import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openZip } from './read.ts';
import { writeZip, type ZipFile } from './write.ts';

const COUNT = 66_000;

async function* createFiles(): AsyncGenerator<ZipFile> {
  for (let i = 0; i < COUNT; i++)
    yield { name: `n/${i}`, modified: new Date(0), content: Buffer.from('x'), isCompressed: true };
}
const open = (zip: Buffer) =>
  openZip({
    bytes: zip.length,
    read: async ({ start, end }) => Readable.from([zip.subarray(start, end + 1)]),
  });

test('writes and reads more than 65,535 files', async () => {
  const zip = Buffer.concat(await Array.fromAsync(writeZip(createFiles())));
  const { entries } = await open(zip);
  expect(entries.size).toBe(COUNT);
  expect(Object.keys(unzipSync(zip))).toHaveLength(COUNT);
});

test('reads all files of a macOS archive, which counts them in 16 bits', async () => {
  const zip = Buffer.concat(await Array.fromAsync(writeZip(createFiles())));
  const end = zip.subarray(-22);
  end.writeUInt16LE(COUNT % 0x10000, 10);
  const { entries } = await open(Buffer.concat([zip.subarray(0, -22 - 20 - 56), end]));
  expect(entries.size).toBe(COUNT);
});
