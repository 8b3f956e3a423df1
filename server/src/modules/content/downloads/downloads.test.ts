import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { reviseEssay } from '../../../testing/highlights.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { signLink, verifyLink } from './links.ts';

let t: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
});
afterAll(() => t.close());

const ask = (input: object, token?: string, headers = { 'user-agent': 'Firefox' }) =>
  t.call('POST core/essay/download', input, { token, headers });
const fetchLink = async (input: object, token?: string, headers: Record<string, string> = {}) => {
  const { data } = await ask(input, token);
  return t.app.server.inject({ url: data.url, headers });
};
const countOf = async (essayId: string): Promise<number> => {
  const { rows } = await t.app.services.pool.query('select download_count from essays where id = $1', [
    essayId,
  ]);
  return rows[0].download_count;
};

const attach = async (name: string, content: string): Promise<string> =>
  (await uploadFile(t, 'core/minio/upload?kind=attachment', { name, content }, writer.token)).data.id;

test('downloads an essay as Markdown with front matter', async () => {
  const picture = `/files/ab/${'c'.repeat(62)}.webp`;
  const essayId = await publishEssay(t, writer, {
    title: 'TCP/IP：从头说起 "引号"',
    content: `## 开头\n\n![图](${picture})\n\n[站内](/home)\n`,
    tags: ['网络', '入门'],
    summary: '一句话：\n# 不是标题',
    declaration: 'ai-assisted',
  });
  const response = await fetchLink({ essayId });
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="TCP-IP????? _??_.md"; filename*=UTF-8''${encodeURIComponent('TCP-IP：从头说起 _引号_.md')}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(response.body) ?? [];
  expect(parse(head)).toMatchObject({
    title: 'TCP/IP：从头说起 "引号"',
    author: '林砚',
    category: '技术',
    tags: ['网络', '入门'],
    summary: '一句话：\n# 不是标题',
    declaration: 'ai-assisted',
    url: `http://site.test/essay/detail/${essayId}.html`,
  });
  expect(body).toBe(`## 开头\n\n![图](http://site.test${picture})\n\n[站内](/home)\n`);
});

test('contains the price, and the summary only if the author wrote it', async () => {
  const content = `第一句。\n\n${'后来的话。\n\n'.repeat(30)}`;
  const essayId = await publishEssay(t, writer, { content, price: 990, previewPercent: 10 });
  const { body } = await fetchLink({ essayId }, writer.token);
  const head = parse(/^---\n([\s\S]*?)\n---\n/.exec(body)?.[1] ?? '');
  expect(head).toMatchObject({ price: 9.9, previewPercent: 10 });
  expect(head).not.toHaveProperty('summary');
  const { data } = await t.call('GET core/essay/{id}', { id: essayId }, { token: writer.token });
  expect(data.summary).toContain('第一句');
});

test('keeps pictures and links when a downloaded text is published again', async () => {
  const path = await uploadPicture(t, writer.token, { width: 640, height: 480 });
  const first = await publishEssay(t, writer, { content: `![图](${path})\n\n[站内](http://site.test/home)` });
  const [, content = ''] = (await fetchLink({ essayId: first })).body.split(/^---$/m).slice(1);
  expect(content).toContain(`http://site.test${path}`);
  const again = await publishEssay(t, writer, { content });
  const htmlOf = async (id: string) =>
    (await t.call('GET core/essay/{id}', { id }, { token: writer.token })).data.html;
  expect(await htmlOf(again)).toBe(await htmlOf(first));
  expect(await htmlOf(again)).toContain('width="640"');
  expect(await htmlOf(again)).toContain('<a href="/home">站内</a>');
  expect(await htmlOf(again)).not.toContain('nofollow');
});

test('readers get the audited version, not later drafts', async () => {
  const essayId = await publishEssay(t, writer, { content: '审核过的' });
  const { data } = await t.call('GET core/essay/{id}/source', { id: essayId }, { token: writer.token });
  await t.call(
    'PUT core/essay/',
    { id: essayId, version: data.version, content: '还没有审核' },
    { token: writer.token },
  );
  expect((await fetchLink({ essayId })).body).toContain('审核过的');
  expect((await fetchLink({ essayId })).body).not.toContain('还没有审核');
});

test('masks the same words as the page', async () => {
  await t.call('POST core/sys/word/', { word: '某个坏词', level: 'mask' }, { token: await t.signInAdmin() });
  const essayId = await publishEssay(t, writer, { content: '这里有某个坏词。\n\n`代码里的某个坏词`' });
  const { body } = await fetchLink({ essayId });
  expect(body).not.toContain('这里有某个坏词');
  expect(body).toContain('代码里的某个坏词');
});

test('downloads an attachment completely or by range, with its name', async () => {
  const attachmentId = await attach('讲义 (一).txt', '0123456789');
  const essayId = await publishEssay(t, writer, { attachments: [attachmentId] });
  const whole = await fetchLink({ essayId, isShelved: true, attachmentId });
  expect(whole.body).toBe('0123456789');
  expect(whole.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '10',
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="?? (?).txt"; filename*=UTF-8''%E8%AE%B2%E4%B9%89%20%28%E4%B8%80%29.txt`,
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const ranges: [string, number, string, string | undefined][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=5-999', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['nonsense', 200, '0123456789', undefined],
  ];
  for (const [range, status, body, content] of ranges) {
    const part = await fetchLink({ essayId, isShelved: true, attachmentId }, undefined, { range });
    expect({
      range,
      status: part.statusCode,
      body: part.body,
      content: part.headers['content-range'],
    }).toEqual({ range, status, body, content });
  }
});

test('requires access to the full text', async () => {
  const attachmentId = await attach('a.txt', 'attached');
  const locked = await publishEssay(t, writer, { price: 500, attachments: [attachmentId] });
  const reader = await t.register();
  for (const token of [undefined, reader.token]) {
    expect((await ask({ essayId: locked }, token)).status).toBe(403);
    expect((await ask({ essayId: locked, format: 'epub' }, token)).status).toBe(403);
    expect((await ask({ essayId: locked, isShelved: true, attachmentId }, token)).status).toBe(403);
  }
  for (const token of [writer.token, await t.signInAdmin()]) {
    expect((await fetchLink({ essayId: locked, isShelved: true, attachmentId }, token)).body).toBe(
      'attached',
    );
  }
  const members = await publishEssay(t, writer, { memberFree: true });
  expect((await ask({ essayId: members }, reader.token)).status).toBe(403);
  await t.app.services.pool.query(`update users set member_until = now() + interval '1 day' where id = $1`, [
    reader.user.id,
  ]);
  expect((await ask({ essayId: members }, reader.token)).status).toBe(200);
});

test('rejects missing essays, essays off the shelf and attachments of other essays', async () => {
  const attachmentId = await attach('a.txt', 'attached');
  await publishEssay(t, writer, { attachments: [attachmentId] });
  const bare = await publishEssay(t, writer);
  expect(await ask({ essayId: bare, isShelved: true, attachmentId })).toMatchObject({
    status: 422,
    fields: { attachmentId: expect.any(String) },
  });
  const waiting = await submitEssay(t, writer);
  const stranger = await createWriter(t);
  expect((await ask({ essayId: waiting }, stranger.token)).status).toBe(404);
  expect((await ask({ essayId: waiting }, writer.token)).status).toBe(200);
  expect((await ask({ essayId: newId() })).status).toBe(404);
  expect((await ask({ essayId: 'x' })).status).toBe(422);
  expect((await ask({ essayId: bare, format: 'pdf' })).status).toBe(422);
  const link = (await ask({ essayId: bare })).data.url;
  await t.call('DELETE core/essay/{id}', { id: bare }, { token: writer.token });
  expect((await ask({ essayId: bare })).status).toBe(410);
  expect((await t.app.server.inject(link)).statusCode).toBe(410);
});

test('a link is valid for five minutes and cannot be forged', async () => {
  const essayId = await publishEssay(t, writer);
  const { data } = await ask({ essayId });
  const other = await publishEssay(t, writer, { price: 500 });
  const forged = [
    data.url.replace(essayId, other),
    data.url.replace('-sv1-', '-sv2-'),
    data.url.replace('-sv1-', '-se1-'),
    `${data.url.slice(0, -1)}${data.url.endsWith('A') ? 'B' : 'A'}`,
    data.url.slice(0, -5),
    '/download/x',
    `/download/${signLink('another secret', { essayId, isShelved: true, version: 1, format: 'md' }, new Date(Date.now() + 60_000))}`,
  ];
  for (const url of forged) expect((await t.app.server.inject(url)).statusCode).toBe(404);
  expect((await t.app.server.inject(data.url)).statusCode).toBe(200);
  t.advance(5 * 60_000 + 1);
  const late = await t.app.server.inject(data.url);
  expect(late.statusCode).toBe(410);
  expect(late.body).toContain('已过期');
});

test('a link becomes invalid when its file is removed, or the essay is deleted or leaves the shelf', async () => {
  const reader = await t.register();
  const attachmentId = await attach('a.txt', 'attached');
  const taken = await publishEssay(t, writer, { attachments: [attachmentId] });
  const attached = await ask({ essayId: taken, isShelved: true, attachmentId }, reader.token);
  await reviseEssay(t, writer, taken, { attachments: [] });
  expect((await t.app.server.inject(attached.data.url)).statusCode).toBe(410);
  const { data } = await ask({ essayId: taken }, reader.token);
  await t.call('PUT core/essay/status', { id: taken, status: 4 }, { token: writer.token });
  expect((await t.app.server.inject(data.url)).statusCode).toBe(410);
  const own = await ask({ essayId: taken }, writer.token);
  expect((await t.app.server.inject(own.data.url)).statusCode).toBe(200);
  await t.call('DELETE core/essay/{id}', { id: taken }, { token: writer.token });
  expect((await t.app.server.inject(own.data.url)).statusCode).toBe(410);
});

test('accepts only one encoding of a signature', () => {
  // The last base64url character has unused bits, so several characters decode to the same value.
  for (let nth = 0; nth < 64; nth++) {
    const target = {
      essayId: `${nth}`.padStart(32, '0'),
      isShelved: true,
      version: 1,
      format: 'md' as const,
    };
    const link = signLink('secret', target, new Date());
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((char) => link.slice(0, -1) + char)
      .filter((other) => other !== link);
    expect(others.filter((other) => verifyLink('secret', other) !== null)).toEqual([]);
  }
});

test('verifying a link returns the signed target', () => {
  const expiresAt = new Date();
  for (const target of [
    { essayId: newId(), isShelved: true, version: 12, format: 'md' as const },
    { essayId: newId(), isShelved: true, version: 12, format: 'epub' as const },
    { essayId: newId(), isShelved: false, attachmentId: newId() },
  ]) {
    expect(verifyLink('secret', signLink('secret', target, expiresAt))).toEqual({ target, expiresAt });
  }
});

test('counts each reader once a day, never the author, and records trend 7', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  await Promise.all(Array.from({ length: 8 }, () => ask({ essayId }, reader.token)));
  expect(await countOf(essayId)).toBe(1);
  await ask({ essayId }, writer.token);
  expect(await countOf(essayId)).toBe(1);
  await ask({ essayId });
  await ask({ essayId });
  await ask({ essayId }, undefined, { 'user-agent': 'Chrome' });
  expect(await countOf(essayId)).toBe(3);
  const trends = await t.call('GET core/user/trend', { userId: reader.user.id, type: 7 });
  expect(trends.data).toMatchObject({ total: 1, list: [{ verb: '下载了', targetKind: 0 }] });
  t.advance(86_400_000);
  await ask({ essayId }, reader.token);
  expect(await countOf(essayId)).toBe(4);
});
