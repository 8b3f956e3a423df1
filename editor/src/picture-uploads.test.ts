import type { Client } from '@mozhan/contract/client.ts';
import { expect, test } from 'vitest';
import { editorWith } from './editor-fixture.ts';
import { createPictureUploads, findAddresses, toAltText } from './picture-uploads.ts';

const failing = (async () => {
  throw new Error('取不到');
}) as unknown as Client;

const paste = async (url: string) => {
  const { view } = editorWith(`![](${url})‸`);
  const uploads = createPictureUploads(
    failing,
    () => '取不到',
    () => {},
  );
  uploads.connect(view);
  uploads.addPasted([{ token: 'a', name: '图片', url }]);
  await expect.poll(() => uploads.list.get()).toMatchObject([{ problem: '取不到' }]);
  return { view, uploads };
};

test('a remote picture that could not be fetched does not prevent a submission', async () => {
  const { uploads } = await paste('https://example.com/a.png');
  expect(uploads.unfinished()).toEqual([]);
  expect(uploads.list.get(), 'it can be fetched again').toHaveLength(1);
});

test('failed pictures are forgotten once they are deleted from the text', async () => {
  const { view, uploads } = await paste('https://example.com/a.png');
  view.dispatch({ changes: { from: 0, to: view.state.doc.length } });
  uploads.addPasted([]);
  expect(uploads.list.get()).toEqual([]);
});

const replaced = (text: string, address: string) =>
  findAddresses(text, address)
    .sort((a, b) => b.from - a.from)
    .reduce((result, { from, to }) => `${result.slice(0, from)}NEW${result.slice(to)}`, text);

test('finds the address of a picture in Markdown and in tags, but not as the beginning of another', () => {
  expect(
    replaced('![甲](uploading:ab) 与 ![乙](uploading:ab "题") 与 ![丙](uploading:abc)', 'uploading:ab'),
  ).toBe('![甲](NEW) 与 ![乙](NEW "题") 与 ![丙](uploading:abc)');
  expect(
    replaced('<img src="https://a.test/?x=1&amp;y=2" alt="" width="50%">', 'https://a.test/?x=1&y=2'),
  ).toBe('<img src="NEW" alt="" width="50%">');
  expect(findAddresses('uploading:ab', 'uploading:ab')).toEqual([]);
});

test.each([
  'image.png',
  'IMG_2034.jpeg',
  '微信图片_20261118093012.jpg',
  '截屏2026-11-18 上午9.30.12.png',
  'Screenshot 2026-11-18 at 09.30.12.png',
  'mmexport1763430000000.jpg',
  '0a1b2c3d4e5f60718293a4b5c6d7e8f9.png',
  '图片.png',
])('the name %s is no alternative text', (name) => expect(toAltText(name)).toBe(''));

test.each([
  ['分区示意图.png', '分区示意图'],
  ['image-pipeline.png', 'image-pipeline'],
  ['图片处理流程.png', '图片处理流程'],
])('the name %s is an alternative text', (name, expected) => expect(toAltText(name)).toBe(expected));
