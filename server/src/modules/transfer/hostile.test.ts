import { randomBytes } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../db/id.ts';
import { systemCtx } from '../../jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { makeWriter } from '../../testing/essays.ts';
import { importFile, itemsOf } from '../../testing/transfer.ts';
import { runTransfer } from './actions/work.ts';
import { insertTransfer } from './queries/runs.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const manifest = (comments = 0) =>
  strToU8(
    JSON.stringify({ format: 'mozhan-export', version: 1, scope: 'site', counts: { essays: 1, comments } }),
  );
const essay = (id: string, title: string) =>
  strToU8(
    `---\nid: ${id}\nauthor: someone\ntitle: "${title}"\nstatus: draft\ncreatedAt: 0001-01-01\nupdatedAt: 2020-01-01\n---\n\n正文\n`,
  );
const bring = (files: Record<string, Uint8Array>, query?: string) =>
  importFile(t, admin, { name: 'site.zip', content: zipSync(files) }, query);
const countEssays = async (title: string) =>
  (await t.app.services.pool.query('select created_at from essays where title = $1', [title])).rows;

test('names that no database takes are left out, and the rest comes', async () => {
  const slug = randomBytes(4000).toString('hex');
  const run = await bring({
    'manifest.json': manifest(),
    'categories.json': strToU8(`[\n${JSON.stringify({ slug, name: '长' })}\n]\n`),
    'essays/a.md': essay(newId(), '断\\0开'),
    'essays/b.md': essay(newId(), '好的一篇'),
    'essays/c.md': strToU8(`---\nid: ${newId()}\n${'x: y\n'.repeat(1_000_000)}---\n\n正文`),
  });
  expect(run.status).toBe('done');
  const items = await itemsOf(t, admin, run.id);
  const outcomeOf = (title: string) => items.find((item) => item.title === title)?.outcome;
  expect([outcomeOf('长'), outcomeOf('断开'), outcomeOf('essays/c.md')]).toEqual(Array(3).fill('skipped'));
  const [came] = await countEssays('好的一篇');
  expect(came?.created_at.getTime()).toBe(0);
});

test('a list without an end of a line, or of more than there can be, is refused', async () => {
  const endless = { 'manifest.json': manifest(1), 'comments.json': randomBytes(3 * 1024 * 1024) };
  endless['comments.json'] = Buffer.from(endless['comments.json'].toString('hex'));
  expect(await bring(endless)).toMatchObject({ status: 'failed', message: 'comments.json 里有一行太长' });
  expect(await bring({ 'manifest.json': manifest(2 ** 40) })).toMatchObject({ status: 'failed' });
});

test('one file that is damaged does not keep the others out', async () => {
  const { user } = await makeWriter(t);
  const zip = zipSync(
    {
      'source/_posts/a.md': strToU8('---\ntitle: 坏的\n---\n\n要损坏的'),
      'source/_posts/b.md': strToU8(`# 从标题来${' '.repeat(100_000)}x\n\n正文`),
      'source/_posts/c.md': strToU8('---\ntitle: 完好的\n---\n\n正文'),
    },
    { level: 0 },
  );
  const at = Buffer.from(zip).indexOf('要损坏的');
  zip[at] = 0x41;
  const run = await importFile(t, admin, { name: 'blog.zip', content: zip }, `?authorId=${user.id}`);
  expect(run.status).toBe('done');
  const items = await itemsOf(t, admin, run.id);
  expect(items.find(({ title }) => title === 'source/_posts/a.md')?.note).toBe('文件已损坏');
  expect(await countEssays('完好的')).toHaveLength(1);
});

test('what its process dies of again and again is given up', async () => {
  const ctx = systemCtx(t.app.services);
  const id = newId();
  const run = { id, kind: 'export', scope: 'site', format: 'mozhan', status: 'running' } as const;
  const aliveAt = new Date(ctx.now.getTime() - 3 * 60_000);
  await insertTransfer(ctx.db, { ...run, failures: 4, runner: newId(), aliveAt, createdAt: ctx.now });
  await runTransfer(ctx, id);
  const { data } = await t.call('GET core/sys/transfer/', { id }, { token: admin });
  expect(data.list[0]).toMatchObject({ status: 'failed', message: expect.stringContaining('多次出错') });
});

test('exports of writers take turns, and only the last takes room', async () => {
  const ctx = systemCtx(t.app.services);
  const [one, other] = await Promise.all([makeWriter(t), makeWriter(t)]);
  const own = { kind: 'export', scope: 'author', format: 'mozhan', own: true, createdAt: ctx.now } as const;
  const [busy, next] = [newId(), newId()];
  const alive = { status: 'running', runner: newId(), aliveAt: ctx.now } as const;
  await insertTransfer(ctx.db, { ...own, ...alive, id: busy, userId: one.user.id, authorId: one.user.id });
  const waits = { id: next, status: 'waiting', userId: other.user.id, authorId: other.user.id } as const;
  await insertTransfer(ctx.db, { ...own, ...waits });
  await runTransfer(ctx, next);
  const find = async (id: string) =>
    (await t.app.services.pool.query('select status, file_path from transfers where id = $1', [id])).rows[0];
  expect((await find(next)).status).toBe('waiting');
  expect((await t.call('POST core/user/export', {}, { token: one.token })).errorCode).toBe('EXPORT_TOO_SOON');
  await t.app.services.pool.query("update transfers set status = 'failed' where id = $1", [busy]);
  await runTransfer(ctx, next);
  const { file_path: path } = await find(next);
  expect(await t.app.services.files.readWhole(path)).toBeInstanceOf(Buffer);
  t.advance(2 * 3_600_000);
  expect((await t.call('POST core/user/export', {}, { token: other.token })).data.status).toBe('waiting');
  expect((await find(next)).file_path).toBeNull();
  await expect(t.app.services.files.readWhole(path)).rejects.toThrow('no such file');
});
