import { expect, test } from 'vitest';
import { findAddresses } from './picture-uploads.ts';

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
