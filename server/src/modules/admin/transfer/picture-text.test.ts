import { expect, test } from 'vitest';
import { replacePictures } from './picture-text.ts';

const A = 'https://old.test/a.png?w=1&h=2';
const B = '//old.test/img/%E5%B1%B1.jpg';
const done = new Map([
  [A, '/files/aa/1.webp'],
  [B, '/files/bb/2.webp'],
]);
const nothing = { done: new Map<string, string>(), failed: new Set<string>() };

const text = [
  `![一张图](${A} "标题") 与 ![](${B})`,
  `[![小图](${A})](${B})`,
  `[![小图](${A})](https://elsewhere.test/)`,
  `<img class="x" src="${A.replace('&', '&amp;')}" alt='远"山'>`,
  `![引用][r]\n\n[r]: ${A}`,
  `说到 ${A} 的话`,
].join('\n');

test('writes the paths of fetched pictures', () => {
  expect(replacePictures(text, { ...nothing, done })).toBe(
    [
      '![一张图](/files/aa/1.webp "标题") 与 ![](/files/bb/2.webp)',
      '[![小图](/files/aa/1.webp)](/files/bb/2.webp)',
      '[![小图](/files/aa/1.webp)](https://elsewhere.test/)',
      `<img class="x" src="/files/aa/1.webp" alt='远"山'>`,
      '![引用][r]\n\n[r]: /files/aa/1.webp',
      `说到 ${A} 的话`,
    ].join('\n'),
  );
});

test('links to pictures that could not be fetched, and shows them after a later attempt', () => {
  const linked = replacePictures(text, { ...nothing, failed: new Set([A, B]) });
  expect(linked.split('\n').slice(0, 4)).toEqual([
    `[一张图](${A} "图片没有取回") 与 [山.jpg](${B} "图片没有取回")`,
    `[小图](${A} "图片没有取回")`,
    '[小图](https://elsewhere.test/)',
    `<a href="${A.replace('&', '&amp;')}" title="图片没有取回">远&#34;山</a>`,
  ]);
  expect(replacePictures(linked, { ...nothing, failed: new Set([A, B]) })).toBe(linked);
  expect(
    replacePictures(linked, { ...nothing, done })
      .split('\n')
      .slice(0, 4),
  ).toEqual([
    '![一张图](/files/aa/1.webp) 与 ![山.jpg](/files/bb/2.webp)',
    '![小图](/files/aa/1.webp)',
    '[小图](https://elsewhere.test/)',
    '<img src="/files/aa/1.webp" alt="远&#34;山">',
  ]);
});

test('leaves other addresses alone', () => {
  expect(replacePictures(text, nothing)).toBe(text);
  expect(replacePictures('[x](https://other.test/a.png "图片没有取回")', { ...nothing, done })).toBe(
    '[x](https://other.test/a.png "图片没有取回")',
  );
});
