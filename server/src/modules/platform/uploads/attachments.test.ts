import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '../../../db/client.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { listAttachments, listExclusiveFiles } from './index.ts';
import { toFileName } from './rules.ts';

let t: TestApp;
let writer: string;
let writerId: string;
beforeAll(async () => {
  t = await startTestApp();
  const { token, user } = await createWriter(t);
  writer = token;
  writerId = user.id;
});
afterAll(() => t.close());

const attach = (name: string, content: Buffer | string, token: string | undefined = writer) =>
  uploadFile(t, 'core/minio/upload?kind=attachment', { name, content }, token);

const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size, 'x')]);
const dataDir = () => t.app.services.config.dataDir;
const incoming = () => readdir(join(dataDir(), 'private/incoming'));

test('stores an attachment with its name and content, and does not serve it', async () => {
  const content = pdf(3_000_000);
  const uploaded = await attach('事务隔离 讲义（第二版）.pdf', content);
  expect(uploaded).toMatchObject({
    success: true,
    data: {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: '事务隔离 讲义（第二版）.pdf',
      bytes: content.length,
      type: 'application/pdf',
      status: 'done',
      path: '',
    },
  });
  const [row] = await listAttachments(createDb(t.app.services.pool), [uploaded.data.id]);
  expect(row).toMatchObject({ userId: writerId, name: uploaded.data.name, bytes: content.length });
  const path = row?.path ?? '';
  expect((await readFile(join(dataDir(), path))).equals(content)).toBe(true);
  // Other users of the machine cannot read it.
  expect((await stat(join(dataDir(), path))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir(), dirname(path)))).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir(), 'private'))).mode & 0o777).toBe(0o700);
  for (const url of [path, `/files/..${path}`, `/files/%2e%2e${path}`, `/files${path.slice(8)}`]) {
    expect((await t.app.server.inject(url)).statusCode).toBeGreaterThanOrEqual(400);
  }
  expect(await incoming()).toEqual([]);
});

test('determines the type by name and content', async () => {
  const zip = Buffer.from(zipSync({ 'a.txt': new Uint8Array([97]) }));
  const good: [string, Buffer | string, string][] = [
    ['a.zip', zip, 'application/zip'],
    ['表.xlsx', zip, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['a.tar.gz', Buffer.of(0x1f, 0x8b, 8, 0, 0), 'application/gzip'],
    ['a.7z', Buffer.from('377abcaf271c0004', 'hex'), 'application/x-7z-compressed'],
    ['笔记.MD', '# 标题\n\n<b>粗</b>', 'text/plain'],
    ['data.json', '{"a": 1}', 'application/json'],
    ['旧表.csv', Buffer.from('d0d5c3fb2cc4eac1e40a', 'hex'), 'text/csv'],
    ['main.rs', 'fn main() {}', 'text/plain'],
    ['a.mp4', Buffer.from('\0\0\0\x20ftypisom....', 'latin1'), 'video/mp4'],
  ];
  for (const [name, content, type] of good) {
    expect((await attach(name, content)).data).toMatchObject({ name, type });
  }
  const bad: [string, Buffer | string][] = [
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['run.exe', 'MZ\u0090\0'],
    ['run.bat', 'del *.*'],
    ['run.js', 'alert(1)'],
    ['page.txt', '\n <HTML><script>alert(1)</script>'],
    ['page.md', '\ufeff<!DOCTYPE html>'],
    ['program.txt', Buffer.from('7f454c4602010100', 'hex')],
    ['program.pdf', 'MZ program'],
    ['text.zip', 'no zip'],
    ['zip.epub', zip],
    ['noname', 'text'],
    ['constructor', 'text'],
    ['a.constructor', 'text'],
    ['gnp.exe.\u202epdf', 'MZ\u0090\0'],
  ];
  for (const [name, content] of bad) {
    const { status, data } = await attach(name, content);
    expect({ name, status }).toEqual({ name, status: 422 });
    expect(data.fields.file).toMatch(/[一-鿿]/);
  }
  expect(await incoming()).toEqual([]);
});

test('makes file names safe', () => {
  const cases: [string, string][] = [
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\me\\讲义.pdf', '讲义.pdf'],
    ['a\u202efdp.txt', 'afdp.txt'],
    ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie_ x.txt'],
    ['<img src=x onerror=alert(1)>.md', '_img src=x onerror=alert(1)_.md'],
    ['.pdf', 'pdf'],
    ['...  a.pdf . ', 'a.pdf'],
    ['\u200b.pdf', 'pdf'],
    ['', '附件'],
  ];
  for (const [given, safe] of cases) expect(toFileName(given)).toBe(safe);
  const long = toFileName(`${'长'.repeat(300)}.tar.gz`);
  expect([...long]).toHaveLength(100);
  expect(long).toMatch(/长\.tar\.gz$/);
});

test('accepts 50 MB, rejects more, and leaves no temporary files', async () => {
  expect((await attach('large.pdf', pdf(50 * 1024 * 1024 - 9))).status).toBe(200);
  const over = await attach('larger.pdf', pdf(50 * 1024 * 1024));
  expect(over).toMatchObject({ status: 413, errorCode: 'TOO_LARGE' });
  expect(await incoming()).toEqual([]);
});

test('rejects attachments of readers, empty files and unknown kinds', async () => {
  const reader = await t.register();
  expect((await attach('a.txt', 'text', reader.token)).status).toBe(403);
  expect((await attach('a.txt', 'text', '')).status).toBe(401);
  expect((await attach('a.txt', '')).status).toBe(422);
  const file = { name: 'a.txt', content: 'text' };
  expect((await uploadFile(t, 'core/minio/upload?kind=video', file, writer)).status).toBe(422);
  expect(await incoming()).toEqual([]);
});

test('rejects a file without a name', async () => {
  for (const name of ['', '; filename=""']) {
    const { statusCode, json } = await t.app.server.inject({
      method: 'POST',
      url: '/api/core/minio/upload?kind=attachment',
      headers: { token: writer, 'content-type': 'multipart/form-data; boundary=x' },
      payload: `--x\r\nContent-Disposition: form-data; name="file"${name}\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--x--\r\n`,
    });
    expect(statusCode).toBe(422);
    expect(json().data.fields.file).toMatch(/[一-鿿]/);
  }
  expect(await incoming()).toEqual([]);
});

test('stores identical content once, and lists it for removal with its last owner only', async () => {
  const db = createDb(t.app.services.pool);
  const other = await createWriter(t);
  const ids = [
    (await attach('a.txt', 'the same')).data.id,
    (await attach('b.txt', 'the same', other.token)).data.id,
    (await attach('c.txt', 'only here', other.token)).data.id,
  ];
  const rows = new Map((await listAttachments(db, ids)).map((row) => [row.name, row.path]));
  expect(rows.get('a.txt')).toBe(rows.get('b.txt'));
  expect(await listExclusiveFiles(db, [other.user.id])).toEqual([rows.get('c.txt')]);
});
