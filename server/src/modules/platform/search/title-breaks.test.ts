import { expect, test } from 'vitest';
import { loadDictionary } from './rules/segment.ts';
import { findTitleBreaks } from './rules/title-breaks.ts';

const dictionary = await loadDictionary();

function split(title: string): string {
  const breaks = findTitleBreaks(dictionary, title);
  return [0, ...breaks].map((from, index) => title.slice(from, breaks[index])).join('|');
}

test.each([
  ['为什么我们把消息队列换回了一张表', '为什么|我们|把|消息队列|换回了|一张|表'],
  ['监控系统与数据库：存储引擎', '监控|系统|与|数据库：存储|引擎'],
  ['用Rust重写命令行工具值得吗', '用|Rust|重写|命令行|工具|值得吗'],
  ['三个人的团队', '三个|人的|团队'],
  ['「數據庫」的鎖', '「數據庫」的|鎖'],
  ['Go 与 TypeScript', 'Go 与 TypeScript'],
  ['二〇二六年👩‍💻回顾', '二〇二六年👩‍💻回顾'],
  ['著名的乾隆皇帝', '著名的|乾隆皇帝'],
  ['', ''],
])('%s', (title, expected) => {
  expect(split(title)).toBe(expected);
});

test('finds offsets of UTF-16 units, never inside a character', () => {
  const title = '𠮷野家的菜单👩‍👩‍👧设计';
  for (const at of findTitleBreaks(dictionary, title)) expect(title.charCodeAt(at) & 0xfc00).not.toBe(0xdc00);
});
