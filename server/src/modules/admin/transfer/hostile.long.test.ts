import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { CallError } from '@mozhan/contract/errors.ts';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../../db/id.ts';
import { FileMissing } from '../../../files/files.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls } from '../../../testing/comments.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { removeOldFiles } from './actions/files.ts';
import { runTransfer } from './actions/run-transfer.ts';
import { transferRows } from './queries/runs.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
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
const importFiles = (files: Record<string, Uint8Array>, query?: string) =>
  importFile(t, admin, { name: 'site.zip', content: zipSync(files) }, query);
const countEssays = async (title: string) =>
  (await t.app.services.pool.query('select created_at from essays where title = $1', [title])).rows;

test('skips essays with invalid names and imports the rest', async () => {
  const slug = randomBytes(4000).toString('hex');
  const manyKeys = Array.from({ length: 300_000 }, (_, n) => `k${n}: 1\n`).join('');
  const run = await importFiles({
    'manifest.json': manifest(),
    'categories.json': strToU8(`[\n${JSON.stringify({ slug, name: '长' })}\n]\n`),
    'essays/a.md': essay(newId(), '断\\0开'),
    'essays/b.md': essay(newId(), '好的一篇'),
    'essays/c.md': strToU8(`---\nid: ${newId()}\n${manyKeys}---\n\n正文`),
  });
  expect(run.status).toBe('done');
  const items = await listItems(t, admin, run.id);
  const outcomeOf = (title: string) => items.find((item) => item.title === title)?.outcome;
  expect([outcomeOf('长'), outcomeOf('断开'), outcomeOf('essays/c.md')]).toEqual(Array(3).fill('skipped'));
  const [imported] = await countEssays('好的一篇');
  expect(imported?.created_at.getTime()).toBe(0);
});

test('rejects a list without line breaks and impossible counts', async () => {
  const withoutLineBreaks = { 'manifest.json': manifest(1), 'comments.json': randomBytes(3 * 1024 * 1024) };
  withoutLineBreaks['comments.json'] = Buffer.from(withoutLineBreaks['comments.json'].toString('hex'));
  expect(await importFiles(withoutLineBreaks)).toMatchObject({
    status: 'failed',
    message: 'comments.json 里有一行太长',
  });
  expect(await importFiles({ 'manifest.json': manifest(2 ** 40) })).toMatchObject({ status: 'failed' });
});

test('a damaged file does not stop the import of the others', async () => {
  const { user } = await createWriter(t);
  const packed = (): [Uint8Array, { level: 9 }] => [strToU8(randomBytes(2000).toString('hex')), { level: 9 }];
  const zip = zipSync(
    {
      'package.json': packed(),
      'source/_posts/torn.md': packed(),
      'source/_posts/a.md': strToU8('---\ntitle: 坏的\n---\n\n要损坏的'),
      'source/_posts/b.md': strToU8(`# 从标题来${' '.repeat(100_000)}x\n\n正文`),
      'source/_posts/c.md': strToU8('---\ntitle: 完好的\n---\n\n正文'),
    },
    { level: 0 },
  );
  const at = (text: string) => Buffer.from(zip).indexOf(text);
  zip[at('要损坏的')] = 0x41;
  for (const name of ['package.json', 'torn.md']) zip[at(name) + name.length] = 0xff;
  const run = await importFile(t, admin, { name: 'blog.zip', content: zip }, `?authorId=${user.id}`);
  expect(run.status).toBe('done');
  const items = await listItems(t, admin, run.id);
  const noteOf = (name: string) => items.find(({ title }) => title === name)?.note;
  expect([noteOf('source/_posts/a.md'), noteOf('source/_posts/torn.md')]).toEqual(
    Array(2).fill('文件已损坏'),
  );
  expect(await countEssays('完好的')).toHaveLength(1);
});

const post = (title: string, text = '正文') => strToU8(`---\ntitle: ${title}\n---\n\n${text}`);
const unavailable = () => Promise.reject(new CallError('UNAVAILABLE'));

/** Creates a run without a job. */
async function createWaitingRun(content: Uint8Array, authorId: string): Promise<string> {
  const { files } = t.app.services;
  const file = await files.receive('blog.zip', Readable.from([Buffer.from(content)]));
  const fields = { filePath: await files.storePrivate(file), fileName: 'blog.zip', fileBytes: file.bytes };
  const id = newId();
  const run = { id, kind: 'import', scope: 'site', format: 'auto', status: 'waiting', authorId } as const;
  await transferRows.insert(systemCtx(t.app.services).db, {
    ...run,
    ...fields,
    createdAt: t.app.services.clock(),
  });
  return id;
}
const rowOf = async (id: string) =>
  (await t.app.services.pool.query('select * from transfers where id = $1', [id])).rows[0];

test('a temporary outage loses no essay and no upload', async () => {
  const { user } = await createWriter(t);
  const png = await createPng();
  const zip = zipSync({ 'source/_posts/a.md': post('等一等', '![](/a.png)'), 'source/a.png': png });
  const id = await createWaitingRun(zip, user.id);
  const ctx = systemCtx(t.app.services);
  const { files } = ctx.services;
  const failing = (more: Partial<typeof files>) => ({
    ...ctx,
    services: { ...ctx.services, files: { ...files, ...more } },
  });
  await expect(runTransfer(failing({ read: unavailable }), id)).rejects.toThrow(CallError);
  const row = await rowOf(id);
  expect(row).toMatchObject({ status: 'running', runner: null, failures: 1 });
  expect(await files.readBuffer(row.file_path)).toBeInstanceOf(Buffer);
  const put = vi.fn(files.put).mockImplementationOnce(unavailable);
  await runTransfer(failing({ put }), id);
  expect(await rowOf(id)).toMatchObject({ status: 'done', file_path: null });
  const imported = (await listItems(t, admin, id)).filter(({ kind }) => kind !== 'redirect');
  expect(imported.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
});

test('imports very long threads up to the limit, without comments that cannot be rendered', async () => {
  const essayId = newId();
  const line = (more: object) =>
    JSON.stringify({
      id: newId(),
      essay: essayId,
      author: 'someone',
      content: '',
      createdAt: '2020-01-01',
      ...more,
    });
  const root = newId();
  const lines = [
    line({ content: '>'.repeat(2000) }),
    line({ content: '好的' }),
    line({ id: root, status: 3 }),
    ...Array.from({ length: 10_000 }, () => line({ root, status: 3 })),
  ];
  const run = await importFiles({
    'manifest.json': manifest(lines.length),
    'essays/a.md': essay(essayId, '长谈'),
    'comments.json': strToU8(`[\n${lines.join(',\n')}\n]\n`),
  });
  expect(run).toMatchObject({ status: 'done', done: 10_004, total: 10_004 });
  const [item] = (await listItems(t, admin, run.id)).filter(({ kind }) => kind === 'comments');
  expect(item).toMatchObject({ outcome: 'created', note: expect.stringMatching(/^4 条没有导入/) });
  const { rows } = await t.app.services.pool.query('select id from comments where essay_id = $1', [essayId]);
  expect(rows).toHaveLength(9_999);
});

test('an undo keeps essays with newer comments, sends no webhooks, and can be repeated', async () => {
  const { pool } = t.app.services;
  const { rows: categories } = await pool.query('select slug from categories limit 1');
  const [commented, uncommented] = [newId(), newId()];
  const publishedEssay = (id: string, title: string) =>
    strToU8(
      `---\nid: ${id}\nauthor: undoer\ntitle: "${title}"\nstatus: published\ncategory: ${categories[0].slug}\ncreatedAt: 2020-01-01\nupdatedAt: 2020-01-01\n---\n\n${'正文。'.repeat(60)}\n`,
    );
  const comment = {
    id: newId(),
    essay: commented,
    author: 'undoer',
    content: '原有的',
    createdAt: '2099-01-01',
  };
  const correspondent = { account: 'correspondent', displayName: '通信人', createdAt: '2020-01-01' };
  const run = await importFiles({
    'manifest.json': manifest(1),
    'essays/a.md': publishedEssay(commented, '有人谈'),
    'essays/b.md': publishedEssay(uncommented, '没人谈'),
    'authors.json': strToU8(`[\n${JSON.stringify(correspondent)}\n]\n`),
    'comments.json': strToU8(`[\n${JSON.stringify(comment)}\n]\n`),
  });
  const reader = await t.register();
  expect((await commentCalls(t).addComment(commented, '后来的', reader.token)).success).toBe(true);
  await pool.query('delete from comments where id = $1', [comment.id]);
  await pool.query(
    `insert into letter_threads (id, user_a, user_b, subject, created_at)
     select $1, least(user_id, $2), greatest(user_id, $2), '请教', now() from accounts where name = $3`,
    [newId(), reader.user.id, correspondent.account],
  );
  await pool.query(
    `insert into webhook_endpoints (id, name, url, events, secret, enabled, created_at)
     values ($1, '同步', 'https://example.com', '{essay.removed}', 'x', true, now())`,
    [newId()],
  );
  await pool.query(`
    create function stand_still() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger stand_still before delete on essays for each row execute function stand_still()`);
  const undo = () => t.call('POST core/sys/transfer/undo', { id: run.id }, { token: admin });
  const outcomes = async () =>
    (await listItems(t, admin, run.id)).map(({ title, outcome }) => [title, outcome]);
  await undo();
  await expect.poll(async () => (await rowOf(run.id)).failures).toBeGreaterThan(0);
  expect(await outcomes()).toContainEqual(['没人谈', 'created']);
  await pool.query('drop function stand_still cascade');
  expect((await waitForTransfer(t, admin, run.id)).status).toBe('undone');
  expect(await outcomes()).toEqual([
    ['通信人', 'kept'],
    ['undoer', 'kept'],
    ['有人谈', 'kept'],
    ['没人谈', 'removed'],
    ['1 条评论', 'kept'],
  ]);
  await pool.query('delete from letter_threads');
  await pool.query('delete from comments where essay_id = $1', [commented]);
  expect((await undo()).data.status).toBe('undoing');
  expect((await waitForTransfer(t, admin, run.id)).status).toBe('undone');
  expect(new Set((await outcomes()).map(([, outcome]) => outcome))).toEqual(new Set(['removed']));
  expect((await undo()).errorCode).toBe('TRANSFER_REFUSED');
  expect((await pool.query('select 1 from webhook_deliveries')).rows).toEqual([]);
});

test('stores an upload before the transaction and removes it if no run uses it', async () => {
  const { files, pool } = t.app.services;
  const { user } = await createWriter(t);
  const { storePrivate } = files;
  let locks = 0;
  files.storePrivate = async (file) => {
    const { rows } = await pool.query(
      `select 1 from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    );
    locks += rows.length;
    return storePrivate(file);
  };
  onTestFinished(() => {
    files.storePrivate = storePrivate;
  });
  const listPrivateFiles = async () =>
    (await Array.fromAsync(files.list())).filter(({ path }) => path.startsWith('/private'));
  const before = (await listPrivateFiles()).length;
  const file = { name: 'blog.zip', content: zipSync({ 'a.md': post('一次') }) };
  const send = (query = '') =>
    uploadFile(t, `core/sys/transfer/import?authorId=${user.id}${query}`, file, admin);
  const busy = newId();
  const run = { id: busy, kind: 'import', scope: 'site', format: 'auto', status: 'running' } as const;
  const { db, now } = systemCtx(t.app.services);
  await transferRows.insert(db, { ...run, runner: newId(), aliveAt: now, createdAt: now });
  expect((await send()).errorCode).toBe('TRANSFER_BUSY');
  await pool.query('delete from transfers where id = $1', [busy]);
  const first = await send('&requestId=once');
  await waitForTransfer(t, admin, first.data.id, ({ fileBytes }) => fileBytes === null);
  expect((await send('&requestId=once')).data.id).toBe(first.data.id);
  expect([locks, (await listPrivateFiles()).length]).toEqual([0, before]);
  const { data } = await t.call('GET core/sys/log/', {}, { token: admin });
  expect(data.list[0]).toMatchObject({ call: 'POST core/sys/transfer/import' });
});

test('removes files that nobody can download any more', async () => {
  const ctx = systemCtx(t.app.services);
  const { files, pool } = ctx.services;
  const createExportRun = async () => {
    const id = newId();
    const run = { id, kind: 'export', scope: 'site', format: 'mozhan', status: 'waiting' } as const;
    await transferRows.insert(ctx.db, { ...run, createdAt: ctx.now });
    return id;
  };
  let path = '';
  const late = await createExportRun();
  const storePrivate: typeof files.storePrivate = async (file) => {
    path = await files.storePrivate(file);
    await pool.query("update transfers set status = 'cancelled', runner = null where id = $1", [late]);
    return path;
  };
  await runTransfer({ ...ctx, services: { ...ctx.services, files: { ...files, storePrivate } } }, late);
  await expect(files.readBuffer(path)).rejects.toThrow(FileMissing);

  const id = await createExportRun();
  await runTransfer(ctx, id);
  path = (await rowOf(id)).file_path;
  const later = { ...ctx, now: new Date(ctx.now.getTime() + 8 * 86_400_000) };
  const stuck = { ...later, services: { ...ctx.services, files: { ...files, remove: unavailable } } };
  await expect(removeOldFiles(stuck)).rejects.toThrow(CallError);
  expect((await rowOf(id)).file_path).toBe(path);
  await removeOldFiles(later);
  expect((await rowOf(id)).file_path).toBeNull();
  await expect(files.readBuffer(path)).rejects.toThrow(FileMissing);
});

test('stops a run after repeated failures of its process', async () => {
  const ctx = systemCtx(t.app.services);
  const id = newId();
  const run = { id, kind: 'export', scope: 'site', format: 'mozhan', status: 'running' } as const;
  const aliveAt = new Date(ctx.now.getTime() - 3 * 60_000);
  await transferRows.insert(ctx.db, { ...run, failures: 4, runner: newId(), aliveAt, createdAt: ctx.now });
  await runTransfer(ctx, id);
  const { data } = await t.call('GET core/sys/transfer/', { id }, { token: admin });
  expect(data.list[0]).toMatchObject({ status: 'failed', message: expect.stringContaining('多次出错') });
});

test('runs exports of writers one at a time and stores only the newest file', async () => {
  const ctx = systemCtx(t.app.services);
  const [one, other] = await Promise.all([createWriter(t), createWriter(t)]);
  const own = { kind: 'export', scope: 'author', format: 'mozhan', own: true, createdAt: ctx.now } as const;
  const [busy, next] = [newId(), newId()];
  const alive = { status: 'running', runner: newId(), aliveAt: ctx.now } as const;
  await transferRows.insert(ctx.db, {
    ...own,
    ...alive,
    id: busy,
    userId: one.user.id,
    authorId: one.user.id,
  });
  const waits = { id: next, status: 'waiting', userId: other.user.id, authorId: other.user.id } as const;
  await transferRows.insert(ctx.db, { ...own, ...waits });
  await runTransfer(ctx, next);
  const find = async (id: string) =>
    (await t.app.services.pool.query('select status, file_path from transfers where id = $1', [id])).rows[0];
  expect((await find(next)).status).toBe('waiting');
  expect((await t.call('POST core/user/export', {}, { token: one.token })).errorCode).toBe('EXPORT_TOO_SOON');
  await t.app.services.pool.query("update transfers set status = 'failed' where id = $1", [busy]);
  await runTransfer(ctx, next);
  const { file_path: path } = await find(next);
  expect(await t.app.services.files.readBuffer(path)).toBeInstanceOf(Buffer);
  t.advance(2 * 3_600_000);
  expect((await t.call('POST core/user/export', {}, { token: other.token })).data.status).toBe('waiting');
  expect((await find(next)).file_path).toBeNull();
  await expect(t.app.services.files.readBuffer(path)).rejects.toThrow('no such file');
});
