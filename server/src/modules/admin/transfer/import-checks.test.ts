import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { categoryIds, createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import {
  checkFile,
  getCheck,
  listImported,
  runChecked,
  startImport,
  toHexo,
  toPost,
  waitForTransfer,
} from '../../../testing/transfer.ts';
import { removeOldFiles } from './actions/files.ts';
import { resumeTransfers } from './actions/run-transfer.ts';
import { removeChecksWith } from './queries/checks.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const check = (name: string, content: Uint8Array) => checkFile(t, admin, { name, content });
const checkOf = (id: string) => getCheck(t, admin, id);
const start = (id: string, mapping: object = {}, token = admin) => startImport(t, token, id, mapping);
const run = (id: string, mapping: object = {}) => runChecked(t, admin, id, mapping);

/** The number of rows of everything that an import may create. */
const countAll = async () =>
  Object.fromEntries(
    await Promise.all(
      ['essays', 'pages', 'users', 'categories', 'redirects', 'comments', 'transfer_items', 'uploads'].map(
        async (table) => [table, (await t.query(`select 1 from ${table}`)).length] as const,
      ),
    ),
  );

test('a check counts everything, says what becomes a draft or is refused, and changes nothing', async () => {
  const before = await countAll();
  const picture = new Uint8Array(await createPng({ width: 60 }));
  const zip = toHexo('check.test', {
    'source/_posts/a.md': toPost(
      'title: 甲\nauthor: 老王\ncategories: [随笔]\ntags: [一, 二]\ncover: https://old.test/c.png',
      '![图](/a.png) ![远](https://old.test/b.png)',
    ),
    'source/_posts/b.md': toPost('title: 乙\ncategories: [编程, 随笔]\npassword: x'),
    'source/_posts/c.md': toPost('title: 丙\ndate: 2090-01-01'),
    'source/_posts/d.md': toPost('title: 丁', '字'.repeat(200_001)),
    'source/_posts/e.md': toPost('title: 戊', ''),
    'source/team/index.md': toPost('title: 我们'),
    'source/a.png': picture,
    '../evil.md': strToU8('x'),
  });
  const checked = await check('blog.zip', zip);
  expect(checked).toMatchObject({ status: 'ready', format: 'hexo', endedAt: null, done: 6 });
  expect(checked.fileBytes).toBeGreaterThan(0);
  const found = await checkOf(checked.id);
  expect(found).toMatchObject({
    program: 'hexo',
    siteTitle: '旧博客',
    siteUrl: 'https://check.test',
    isRepeated: false,
    counts: {
      essays: 4,
      pages: 1,
      scheduled: 1,
      pictures: 1,
      remotePictures: 2,
      covers: 1,
      authors: 1,
      unsigned: 3,
      categories: 2,
      tags: 2,
      existing: 0,
    },
    categories: [
      { name: '随笔', count: 2 },
      { name: '编程', count: 1 },
    ],
  });
  expect(found.counts.redirects).toBeGreaterThan(4);
  expect(found.drafts).toMatchObject({
    total: 2,
    list: [
      { title: '乙', reason: '原文有密码，作为草稿导入' },
      { title: '戊', reason: '没有正文' },
    ],
  });
  expect(found.refused).toMatchObject({
    total: 2,
    list: [
      { title: '../evil.md', reason: expect.stringContaining('压缩包之外') },
      { title: '丁', reason: '最多 200000 个字' },
    ],
  });
  const ids = await categoryIds(t);
  expect(found.mapping).toMatchObject({
    categories: [
      { name: '随笔', to: 'tag' },
      { name: '编程', to: 'category', categoryId: ids.program },
    ],
    authors: [{ account: '老王', to: 'new' }],
    membersAs: 'draft',
    fetchPictures: 1,
  });
  expect(await countAll()).toEqual(before);
});

const blog = () =>
  toHexo('map.test', {
    'source/_posts/a.md': toPost('title: A\nauthor: wang\ncategories: [随笔]'),
    'source/_posts/b.md': toPost('title: B\nauthor: li\ncategories: [Big Engineering]'),
    'source/_posts/c.md': toPost('title: C\nauthor: [zhao, li]\ncategories: [旧类, 随笔]'),
    'source/_posts/d.md': toPost('title: D'),
  });

test('refuses a mapping that does not fit, and changes nothing', async () => {
  const ids = await categoryIds(t);
  const reader = await t.register();
  const disabled = await createWriter(t);
  await t.query('update accounts set enabled = false where user_id = $1', [disabled.user.id]);
  const { id } = await check('blog.zip', blog());
  const many = Array.from({ length: 1001 }, (_, n) => ({ name: `x${n}`, to: 'tag' }));
  const toUser = (userId: string) => [{ account: 'wang', to: 'user', userId }];
  const cases: [object, Record<string, unknown>][] = [
    [{ categories: [{ name: '没有这个', to: 'tag' }] }, { categories: '文件里没有「没有这个」' }],
    [
      {
        categories: [
          { name: '随笔', to: 'tag' },
          { name: '随笔', to: 'new' },
        ],
      },
      { categories: '「随笔」出现了两次' },
    ],
    [
      { categories: [{ name: '随笔', to: 'category', categoryId: newId() }] },
      { categories: '请选择「随笔」对应的分类' },
    ],
    [{ categories: [{ name: '随笔', to: 'category' }] }, { categories: '请选择「随笔」对应的分类' }],
    [{ categories: many }, { categories: expect.any(String) }],
    [{ categories: [{ name: '随笔', to: 'new', newName: '字'.repeat(21) }] }, expect.anything()],
    [{ categoryId: newId() }, { categoryId: '没有这个分类' }],
    [{ authors: toUser(newId()) }, { authors: '请给「wang」选择一位可用的作者' }],
    [{ authors: toUser(reader.user.id) }, { authors: '请给「wang」选择一位可用的作者' }],
    [{ authors: toUser(disabled.user.id) }, { authors: '请给「wang」选择一位可用的作者' }],
    [{ authors: [{ account: '谁', to: 'new' }] }, { authors: '文件里没有「谁」' }],
    [{ allTo: disabled.user.id }, { allTo: '请选择一位可用的作者' }],
    [{ authorId: ids.tech }, { authorId: '请选择一位可用的作者' }],
    [{ sections: [{ name: 'posts', as: 'essay' }] }, { sections: '文件里没有「posts」' }],
    [{ price: 5 }, { price: expect.any(String) }],
  ];
  for (const [mapping, fields] of cases)
    expect(await start(id, mapping), JSON.stringify(mapping).slice(0, 80)).toMatchObject({
      errorCode: 'INVALID',
      fields,
    });
  expect(await waitForTransfer(t, admin, id)).toMatchObject({ status: 'ready' });
  expect((await start(newId())).errorCode).toBe('NOT_FOUND');
  const { data: other } = await t.call('POST core/sys/transfer/export', { scope: 'site' }, { token: admin });
  expect((await start(other.id)).errorCode).toBe('TRANSFER_REFUSED');
  expect((await t.call('GET core/sys/transfer/check', { id: other.id }, { token: admin })).errorCode).toBe(
    'TRANSFER_REFUSED',
  );
});

test('only one of several requests starts an import, and a second import waits', async () => {
  const writer = await createWriter(t);
  const { id } = await check('blog.zip', toHexo('race.test', { 'source/_posts/r.md': toPost('title: R') }));
  const { id: other } = await check(
    'blog.zip',
    toHexo('race.test', { 'source/_posts/s.md': toPost('title: S') }),
  );
  const mapping = { authorId: writer.user.id };
  const answers = await Promise.all([start(id, mapping), start(id, mapping), start(id, mapping)]);
  const codes = answers.map(({ errorCode }) => errorCode).toSorted();
  expect(codes).toEqual(['TRANSFER_REFUSED', 'TRANSFER_REFUSED', undefined]);
  await waitForTransfer(t, admin, id, ({ fileBytes }) => fileBytes === null);
  expect(await listImported(t, id)).toHaveLength(1);
  await t.query("update transfers set status = 'running', runner = $2, alive_at = now() where id = $1", [
    id,
    newId(),
  ]);
  expect((await start(other, mapping)).errorCode).toBe('TRANSFER_BUSY');
  await t.query("update transfers set status = 'done' where id = $1", [id]);
  expect(await run(other, mapping)).toMatchObject({ status: 'done' });
});

test('a check and a started run survive a killed process', async () => {
  const writer = await createWriter(t, '重启的人');
  const { id } = await check(
    'blog.zip',
    toHexo('kill.test', { 'source/_posts/k.md': toPost('title: K\nauthor: k1') }),
  );
  const ctx = systemCtx(t.app.services);
  // As a process leaves it that is killed during the check.
  const old = new Date(ctx.now.getTime() - 3 * 60_000);
  await t.query('delete from import_checks where transfer_id = $1', [id]);
  await t.query("update transfers set status = 'checking', runner = $2, alive_at = $3 where id = $1", [
    id,
    newId(),
    old,
  ]);
  await resumeTransfers(ctx);
  expect(await waitForTransfer(t, admin, id)).toMatchObject({ status: 'ready' });
  // As a process leaves it that is killed right after the start.
  await t.query('update import_checks set started = true, mapping = mapping || $2 where transfer_id = $1', [
    id,
    JSON.stringify({ allTo: writer.user.id }),
  ]);
  await t.query("update transfers set status = 'running', runner = $2, alive_at = $3 where id = $1", [
    id,
    newId(),
    old,
  ]);
  await resumeTransfers(ctx);
  expect(await waitForTransfer(t, admin, id)).toMatchObject({ status: 'done' });
  expect(await listImported(t, id)).toMatchObject([{ author: '重启的人' }]);
});

test('a check can be cancelled, fails for unknown files, and expires with its upload', async () => {
  const { id } = await check('blog.zip', toHexo('cancel.test', { 'source/_posts/k.md': toPost('title: K') }));
  const pathOf = async (each: string) =>
    (await t.query<{ file_path: string | null }>('select file_path from transfers where id = $1', [each]))[0]
      ?.file_path ?? '';
  const path = await pathOf(id);
  await t.call('POST core/sys/transfer/cancel', { id }, { token: admin });
  expect(await waitForTransfer(t, admin, id)).toMatchObject({ status: 'cancelled', fileBytes: null });
  await expect(t.app.services.files.read(path)).rejects.toThrow();
  expect((await start(id)).errorCode).toBe('TRANSFER_REFUSED');

  const unknown = await check('x.bin', strToU8('nothing'));
  expect(unknown).toMatchObject({ status: 'failed', message: '认不出这是什么格式，请选择后再试' });

  const late = await check('blog.zip', toHexo('late.test', { 'source/_posts/k.md': toPost('title: K') }));
  const latePath = await pathOf(late.id);
  const ctx = systemCtx(t.app.services);
  await removeOldFiles(ctx);
  expect(await waitForTransfer(t, admin, late.id)).toMatchObject({ status: 'ready' });
  await removeOldFiles({ ...ctx, now: new Date(ctx.now.getTime() + 8 * 86_400_000) });
  expect(await waitForTransfer(t, admin, late.id)).toMatchObject({
    status: 'cancelled',
    message: '检查后七天没有开始，上传的文件已删除',
    fileBytes: null,
  });
  await expect(t.app.services.files.read(latePath)).rejects.toThrow();
  const left = await t.query('select 1 from import_checks where transfer_id in ($1, $2)', [id, late.id]);
  expect(left).toEqual([]);
});

test('the mapping of an ended import is deleted with the account of a person in it', async () => {
  const writer = await createWriter(t);
  const { id } = await check('blog.zip', toHexo('closed.test', { 'source/_posts/c.md': toPost('title: C') }));
  await run(id, { authorId: writer.user.id });
  const count = async () =>
    (await t.query('select 1 from import_checks where transfer_id = $1', [id])).length;
  const ctx = systemCtx(t.app.services);
  await removeChecksWith(ctx.db, newId());
  expect(await count()).toBe(1);
  await removeChecksWith(ctx.db, writer.user.id);
  expect(await count()).toBe(0);
});

test('checks an export of this program', async () => {
  const zip = zipSync({
    'manifest.json': strToU8(
      JSON.stringify({
        format: 'mozhan-export',
        version: 1,
        scope: 'site',
        site: '原站',
        counts: { essays: 1 },
      }),
    ),
    [`essays/${newId()}.md`]: strToU8('x'),
    'authors.json': strToU8('[\n{"account":"a"},\n{"account":"b"}\n]'),
    'files/aa/b.webp': strToU8('x'),
  });
  const { id, format } = await check('site.zip', zip);
  expect(format).toBe('mozhan');
  expect(await checkOf(id)).toMatchObject({
    siteTitle: '原站',
    counts: { essays: 1, authors: 2, pictures: 1, existing: 0 },
    mapping: { categories: [], authors: [] },
  });
});

test('needs the permissions of imports, and the start is logged', async () => {
  const { id } = await check('blog.zip', toHexo('log.test', { 'source/_posts/l.md': toPost('title: L') }));
  const stranger = await t.register();
  const viewer = await createStaff(t, ['transfer:list']);
  const other = await createStaff(t, ['essay:list']);
  expect((await t.call('GET core/sys/transfer/check', { id })).status).toBe(401);
  expect((await t.call('POST core/sys/transfer/start', { id })).status).toBe(401);
  for (const { token } of [stranger, other]) {
    expect((await t.call('GET core/sys/transfer/check', { id }, { token })).status).toBe(403);
    expect((await start(id, {}, token)).status).toBe(403);
  }
  expect((await t.call('GET core/sys/transfer/check', { id }, viewer)).status).toBe(200);
  expect((await start(id, {}, viewer.token)).status).toBe(403);
  const writer = await createWriter(t);
  await run(id, { authorId: writer.user.id });
  const { data } = await t.call('GET core/sys/log/', { pageSize: 50 }, { token: admin });
  expect(JSON.stringify(data.list)).toContain('POST core/sys/transfer/start');
});
