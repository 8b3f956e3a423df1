import type { Highlight } from '@mozhan/contract/highlights.ts';
import { expect, test } from 'vitest';
import { toJson, toMarkdown } from './export-highlights.ts';

const highlight = (fields: Partial<Highlight>): Highlight => ({
  id: '1',
  essay: { id: 'a', slug: null, title: '长风' },
  color: 'yellow',
  quote: '夜里三点\n告警响了',
  state: 'found',
  start: 0,
  end: 8,
  exact: '夜里三点\n告警响了',
  note: '',
  thought: null,
  createdAt: '2026-11-17T20:00:00.000Z',
  updatedAt: '2026-11-17T20:00:00.000Z',
  ...fields,
});

const urlOf = ({ essay: { id } }: Highlight) => `https://example.com/${id}`;

test('groups the Markdown by essay and escapes what would be markup', () => {
  const text = toMarkdown(
    [
      highlight({ note: '# 不是*标题*' }),
      highlight({
        essay: { id: 'b', slug: null, title: null },
        quote: '旧话',
        state: 'orphaned',
        color: 'pink',
      }),
      highlight({ quote: '第二处' }),
    ],
    urlOf,
  );
  expect(text).toBe(`# 我的划线与想法

## [长风](https://example.com/a)

> 夜里三点
> 告警响了

\\# 不是\\*标题\\*

*黄色，2026-11-17*

> 第二处

*黄色，2026-11-17*

## 已不在架上的文章

> 旧话

*粉色，2026-11-17，原文已修改*
`);
});

test('writes JSON with an address only for essays that can be read', () => {
  const rows = JSON.parse(
    toJson([highlight({}), highlight({ essay: { id: 'b', slug: null, title: null } })], urlOf),
  );
  expect(rows).toMatchObject([
    { essay: { title: '长风', url: 'https://example.com/a' }, quote: '夜里三点\n告警响了', isPublic: false },
    { essay: { title: null, url: null } },
  ]);
});
