import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { decodeName } from './names.ts';
import { openZip, readEntry, type ZipSource } from './read.ts';
import { writeZip, type ZipFile } from './write.ts';

const sourceOf = (content: Buffer): ZipSource => ({
  bytes: content.length,
  read: async ({ start, end }) => Readable.from([content.subarray(start, end + 1)]),
});
const open = (content: Uint8Array) => openZip(sourceOf(Buffer.from(content)));

async function readAll(content: Buffer): Promise<Record<string, string>> {
  const source = sourceOf(content);
  const { entries } = await openZip(source);
  const files: Record<string, string> = {};
  for (const [name, entry] of entries) files[name] = await text(Readable.from(readEntry(source, entry)));
  return files;
}

const modified = new Date('2026-02-03T04:05:06Z');
async function* toFiles(...files: Omit<ZipFile, 'modified'>[]): AsyncGenerator<ZipFile> {
  for (const file of files) yield { ...file, modified };
}
async function* chunks(count: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < count; i++) yield Buffer.from(`{"n":${i}}\n`);
}

test('reads its own archives, and so does another library', async () => {
  const zip = await buffer(
    Readable.from(
      writeZip(
        toFiles(
          { name: 'essays/甲.md', content: Buffer.from('正文'.repeat(3000)) },
          { name: 'files/a.webp', content: Buffer.from([1, 2, 3]), isCompressed: true },
          { name: 'empty.md', content: Buffer.alloc(0) },
          { name: 'comments.json', content: chunks(5000) },
        ),
      ),
    ),
  );
  const own = await readAll(zip);
  const others = unzipSync(zip);
  expect(Object.keys(own)).toEqual(['essays/甲.md', 'files/a.webp', 'empty.md', 'comments.json']);
  expect(Object.keys(others)).toEqual(Object.keys(own));
  expect(own['essays/甲.md']).toBe('正文'.repeat(3000));
  expect(own['comments.json']?.split('\n')).toHaveLength(5001);
  expect(Buffer.from(others['comments.json'] ?? []).toString()).toBe(own['comments.json']);
});

test('rejects invalid names and names outside the archive', () => {
  const reasonFor = (name: string | Buffer) => decodeName(Buffer.from(name as string)).reason;
  expect(reasonFor('../../etc/passwd')).toBe('文件名指向压缩包之外');
  expect(reasonFor('a/../../b')).toBe('文件名指向压缩包之外');
  expect(reasonFor('/etc/passwd')).toBe('文件名指向压缩包之外');
  expect(reasonFor('C:\\windows\\x')).toBe('文件名指向压缩包之外');
  expect(reasonFor('..\\x')).toBe('文件名指向压缩包之外');
  expect(reasonFor('a\0b')).toBe('文件名里有不允许的字符');
  expect(reasonFor(`${'a'.repeat(2000)}.md`)).toBe('文件名太长');
  expect(decodeName(Buffer.of(0xff, 0xff, 0xff)).reason).toBe('文件名的编码无法识别');
  // 文章.md in the encoding of Chinese Windows.
  expect(decodeName(Buffer.from('cec4d5c22e6d64', 'hex'))).toEqual({ name: '文章.md', reason: null });
  expect(decodeName(Buffer.from('./a\\b.md'))).toEqual({ name: 'a/b.md', reason: null });
});

test('rejects ZIP bombs, wrong sizes, damaged files and duplicate names', async () => {
  const bomb = zipSync({ 'bomb.md': new Uint8Array(30 * 1024 * 1024), 'a.md': new Uint8Array([65]) });
  const { entries, refused } = await open(bomb);
  expect([...entries.keys()]).toEqual(['a.md']);
  expect(refused).toEqual([{ name: 'bomb.md', reason: '解压后大得不合常理' }]);

  // The directory declares one byte, but the content is longer.
  const wrongSize = Buffer.from(zipSync({ 'a.md': Buffer.from('a'.repeat(100_000)) }));
  const at = wrongSize.lastIndexOf(Buffer.from('504b0102', 'hex'));
  wrongSize.writeUInt32LE(1, at + 24);
  await expect(readAll(wrongSize)).rejects.toThrow('文件比它声明的更大');

  const wrongContent = Buffer.from(zipSync({ 'a.md': Buffer.from('abc') }, { level: 0 }));
  wrongContent.writeUInt8(0x7a, wrongContent.indexOf('abc'));
  await expect(readAll(wrongContent)).rejects.toThrow('文件已损坏');

  const packed = () => Buffer.from(zipSync({ 'a.md': Buffer.from(randomBytes(5000).toString('hex')) }));
  const damaged = packed();
  damaged.writeUInt8(0xff, damaged.indexOf('a.md') + 4);
  await expect(readAll(damaged)).rejects.toMatchObject({ code: 'INVALID', message: '文件已损坏' });
  const wrongOffset = packed();
  wrongOffset.writeUInt32LE(
    wrongOffset.length - 10,
    wrongOffset.lastIndexOf(Buffer.from('504b0102', 'hex')) + 42,
  );
  await expect(readAll(wrongOffset)).rejects.toMatchObject({ code: 'INVALID', message: 'ZIP 文件已损坏' });

  const twice = Buffer.from(zipSync({ 'a.md': Buffer.from('1'), 'b.md': Buffer.from('2') }));
  for (let i = twice.indexOf('b.md'); i !== -1; i = twice.indexOf('b.md', i + 1)) twice.write('a.md', i);
  expect((await open(twice)).refused).toEqual([{ name: 'a.md', reason: '与前面的文件重名' }]);

  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`../${n}`, Buffer.from('x')]));
  const { refused: listed } = await open(zipSync(many, { level: 0 }));
  expect(listed).toHaveLength(1001);
  expect(listed.at(-1)).toEqual({ name: '另外 200 个文件', reason: '也不能读取，没有逐个列出' });

  await expect(open(Buffer.from('no zip at all'))).rejects.toThrow('这不是一个完整的 ZIP 文件');
  await expect(open(Buffer.from(bomb.subarray(0, 1000)))).rejects.toThrow('这不是一个完整的 ZIP 文件');
});

test('distinguishes a damaged directory from a storage error', async () => {
  const zip = () => Buffer.from(zipSync({ 'a.md': Buffer.from('1'), 'b.md': Buffer.from('2') }));
  const end = (content: Buffer) => content.lastIndexOf(Buffer.from('504b0506', 'hex'));
  const damaged = zip();
  damaged.writeUInt8(0, damaged.lastIndexOf(Buffer.from('504b0102', 'hex')));
  await expect(open(damaged)).rejects.toMatchObject({ code: 'INVALID', message: 'ZIP 文件的目录已损坏' });
  const wrongCount = zip();
  wrongCount.writeUInt16LE(0, end(wrongCount) + 10);
  await expect(open(wrongCount)).rejects.toThrow('ZIP 文件不完整，请重新上传');
  const cut = zip();
  cut.writeUInt32LE(cut.length, end(cut) + 16);
  await expect(open(cut)).rejects.toMatchObject({ code: 'INVALID', message: 'ZIP 文件不完整，请重新上传' });
  const short = { ...sourceOf(zip()), bytes: zip().length + 100 };
  await expect(openZip(short)).rejects.toThrow('ZIP 文件不完整，请重新上传');
  const storageError = new Error('away');
  const failing = { ...sourceOf(zip()), read: () => Promise.reject(storageError) };
  await expect(openZip(failing)).rejects.toBe(storageError);
});
