import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tokenScopes } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, portOf, startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';

const SCRIPT = join(import.meta.dirname, '../../../../../examples/publish.mjs');
const run = promisify(execFile);

let t: TestApp;
let folder = '';
beforeAll(async () => {
  t = await startTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  folder = await mkdtemp(join(tmpdir(), 'mozhan-posts-'));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

test('publishes a file with pictures, updates it, and skips it when unchanged', async () => {
  const writer = await createWriter(t);
  const own = { token: writer.token };
  const wish = { name: '命令行', scopes: tokenScopes, days: 30, password: PASSWORD };
  const { token } = (await t.call('POST core/user/token/', wish, own)).data;
  const publish = async (...args: string[]) => {
    const env = { ...process.env, MOZHAN_URL: `http://127.0.0.1:${portOf(t)}/`, MOZHAN_TOKEN: token };
    return run(process.execPath, [SCRIPT, ...args], { cwd: folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
    );
  };
  await mkdir(join(folder, 'pictures'));
  await writeFile(join(folder, 'pictures/a b.png'), await createPng());
  const text = `---
title: "在命令行里发布"
category: tech
tags:
  - 工具
  - 写作
cover: pictures/a b.png
---

正文 ![图](pictures/a%20b.png) 与代码 \`![x](no.png)\`。
`;
  await writeFile(join(folder, 'post.md'), text);
  await writeFile(join(folder, 'broken.md'), text.replace('tech', '没有这个分类'));

  const first = await publish('post.md', 'broken.md');
  expect([first.code, first.stdout]).toEqual([1, expect.stringContaining('已提交审核')]);
  expect(first.stderr).toContain('没有「没有这个分类」');
  const id = JSON.parse(await readFile(join(folder, '.mozhan.json'), 'utf8')).essays['post.md'];
  const source = async () => (await t.call('GET core/essay/{id}/source', { id }, own)).data;
  const made = await source();
  expect(made).toMatchObject({ title: '在命令行里发布', tags: ['工具', '写作'], status: 1 });
  expect(made.cover).toMatch(/^\/files\//);
  expect(made.content).toContain(`![图](${made.cover})`);
  expect(made.content).toContain('`![x](no.png)`');

  expect((await publish('post.md')).stdout).toContain('没有变化');
  const admin = { token: await t.signInAdmin() };
  for (const status of [2, 3]) await t.call('PUT core/essay/status', { id, status }, admin);
  await writeFile(join(folder, 'post.md'), text.replace('正文', '改过的正文'));
  expect((await publish('--draft', 'post.md')).stdout).toContain('已保存');
  expect((await publish('post.md')).stdout).toContain('已提交审核');
  expect(await source()).toMatchObject({ status: 3, revision: 1 });
  await writeFile(join(folder, 'post.md'), text.replace('正文', '又改过的正文'));
  expect((await publish('post.md')).stdout).toContain('已提交审核');
  expect((await source()).content).toContain('又改过的正文');

  // YAML in common styles, and picture names as browsers download them.
  await writeFile(
    join(folder, 'quoted.md'),
    `---\ntitle: "引号 \\"里\\" 的: 题 # 不是注释" # 注释\ncategory: tech\ntags: ["a, b", 2026]\nprice: 9.9\nsummary: >-\n  第一行\n  第二行\n---\n![图](http://127.0.0.1:${portOf(t)}${made.cover})\n`,
  );
  expect((await publish('--draft', 'quoted.md')).stderr).toContain('标签');
  await writeFile(
    join(folder, 'quoted.md'),
    (await readFile(join(folder, 'quoted.md'), 'utf8')).replace('a, b', 'a b'),
  );
  expect((await publish('--draft', 'quoted.md')).stdout).toContain('已建草稿');
  const notes = JSON.parse(await readFile(join(folder, '.mozhan.json'), 'utf8'));
  const quoted = (await t.call('GET core/essay/{id}/source', { id: notes.essays['quoted.md'] }, own)).data;
  expect(quoted).toMatchObject({
    title: '引号 "里" 的: 题 # 不是注释',
    tags: ['a b', '2026'],
    price: 990,
    summary: '第一行 第二行',
    content: `![图](${made.cover})\n`,
  });
  await writeFile(join(folder, 'wrong.md'), '---\ntitle: [\n---\n文');
  expect((await publish('--draft', 'wrong.md')).stderr).toContain('文件头不是 YAML');

  const [listed] = (await t.call('GET core/user/token/', {}, own)).data.list;
  await t.call('DELETE core/user/token/', { id: listed?.id }, own);
  const last = await publish('post.md');
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining('令牌无效')]);
});
