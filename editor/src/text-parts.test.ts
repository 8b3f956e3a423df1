import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { findTextParts } from './text-parts.ts';

const find = (doc: string) =>
  findTextParts(EditorState.create({ doc, extensions: markdown({ base: markdownLanguage }) }));

test('finds web addresses of links and pictures, but not those in code', () => {
  const text = [
    '见[文档](https://a.example/x "标题")和[同一处](https://a.example/x)，或 <https://b.example/>。',
    '裸的 https://c.example/y 也算；[本站](/essay/1.html) 和 [邮件](mailto:a@b.c) 不算。',
    '`https://code.example/` 与 ![图](https://d.example/p.png)',
    '```\nhttps://fence.example/\n```',
    '[ref]: https://e.example/',
  ].join('\n\n');
  expect(find(text).links.map(({ url }) => url)).toEqual([
    'https://a.example/x',
    'https://b.example/',
    'https://c.example/y',
    'https://d.example/p.png',
    'https://e.example/',
  ]);
  expect(find(text).links[0]?.from).toBe(text.indexOf('https://a.example/x'));
});

test('finds pictures without alternative text', () => {
  const places = (text: string) => find(text).picturesWithoutText;
  expect(places('![](/a.png) ![ ](/b.png) ![有](/c.png)')).toEqual([0, 12]);
  expect(
    places('文字 <img src="/a.png"> 与 <img alt="有" src="/b.png"> 与 <img alt="" src="/c.png">'),
  ).toHaveLength(2);
  expect(places('`![](/a.png)`\n\n    ![](/b.png)')).toEqual([]);
});
