import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { pagesFromSource } from '../../../testing/pages.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';
import { importRedirects, removeRedirectsOf } from './index.ts';

let t: TestApp;
let staff: string;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp({ ...pagesFromSource, config: { siteUrl: 'https://site.test' } });
  const all = ['redirect:list', 'redirect:create', 'redirect:update', 'redirect:remove'] as const;
  staff = (await createStaff(t, all)).token;
  writer = await createWriter(t);
});
afterAll(() => t.close());

const add = (path: string, target: string) =>
  t.call('POST core/sys/redirect/', { path, target }, { token: staff });
const list = async (query: object = {}) =>
  (await t.call('GET core/sys/redirect/', { pageSize: 100, ...query }, { token: staff })).data;
const targetOf = async (path: string) =>
  (await list({ keyword: path })).list.find((each) => each.path === path)?.target;

test('stores decoded paths without a trailing slash, and returns them in every order', async () => {
  const { data } = await add('/2019/%E4%BD%A0%E5%A5%BD/', '/help.html');
  expect(data).toMatchObject({
    path: '/2019/你好',
    target: '/help.html',
    essay: null,
    transferId: null,
    hits: 0,
    lastHitAt: null,
  });
  expect((await add('https://old.example.com/Hello?b=2&utm_source=x&a=1', '/help.html')).data.path).toBe(
    '/Hello?a=1&b=2',
  );
  expect((await add('/?p=12', 'https://example.com/文')).data).toMatchObject({
    path: '/?p=12',
    target: 'https://example.com/%E6%96%87',
  });
  for (const sort of ['createdAt', 'hits', 'lastHitAt'])
    for (const order of [0, 1])
      expect((await list({ sort, order, pageSize: 2 })).next, `${sort} ${order}`).not.toBeNull();
  expect((await list({ keyword: '2019' })).list.map(({ path }) => path)).toEqual(['/2019/你好']);
  expect((await list({ keyword: 'example.com' })).list.map(({ path }) => path)).toEqual(['/?p=12']);
});

test.each([
  ['path', '/home', '/about.html', '本站自己的网址'],
  ['path', '/account/center.html/', '/about.html', '本站自己的网址'],
  ['path', '/feed.xml', '/about.html', '本站自己的网址'],
  ['path', '/api/core/site/', '/about.html', '本站自己的网址'],
  ['path', '/files/x.png', '/about.html', '本站自己的网址'],
  ['path', '/', '/about.html', '本站自己的网址'],
  ['path', 'mailto:a@b.c', '/about.html', '旧网址要是本站的路径'],
  ['path', `/${'长'.repeat(501)}`, '/about.html', '最多 500 个字'],
  ['target', '/ok', 'javascript:alert(1)', '新网址要么是'],
  ['target', '/ok', '//evil.example', '新网址要么是'],
  ['target', '/ok', '/\\evil.example', '新网址要么是'],
  ['target', '/ok', 'ftp://example.com/', '新网址要么是'],
  ['target', '/ok', 'https://user:pass@example.com/', '新网址要么是'],
  ['target', '/ok', 'about.html', '新网址要么是'],
  ['target', '/ok', '/ok/', '循环跳转'],
  ['target', '/ok', 'https://site.test/ok?x=1', '循环跳转'],
])('refuses an invalid %s: %s → %s', async (field, path, target, reason) => {
  const response = await add(path, target);
  expect(response).toMatchObject({ status: 422, fields: { [field]: expect.stringContaining(reason) } });
  expect(await targetOf('/ok')).toBeUndefined();
});

test('of several requests for one path, one wins', async () => {
  const responses = await Promise.all(['/a', '/b', '/c'].map((to) => add('/contested', `/new${to}`)));
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  for (const { success, fields } of responses)
    if (!success) expect(fields).toEqual({ path: '这个旧网址已有跳转' });
});

test('flattens chains in both directions and refuses loops over several steps', async () => {
  await add('/chain/2', '/chain/3');
  await add('/chain/1', '/chain/2?x=1');
  expect(await targetOf('/chain/1')).toBe('/chain/3');
  await add('/chain/3', '/chain/4#end');
  expect(await targetOf('/chain/1')).toBe('/chain/4#end');
  expect(await targetOf('/chain/2')).toBe('/chain/4#end');
  expect((await add('/chain/4', '/chain/1')).fields).toEqual({ target: expect.stringContaining('循环跳转') });
  const two = await Promise.all([add('/loop/a', '/loop/b'), add('/loop/b', '/loop/a')]);
  expect(two.filter(({ success }) => success)).toHaveLength(1);
});

test('refuses loops through the index of a folder and the page of an essay for phones', async () => {
  const loop = { target: expect.stringContaining('循环跳转') };
  expect((await add('/folder', '/folder/index.html')).fields).toEqual(loop);
  await add('/folder/a', '/folder/b/index.html');
  await add('/folder/b', '/folder/c');
  expect(await targetOf('/folder/a')).toBe('/folder/c');
  expect((await add('/folder/c', '/folder/b/index.html')).fields).toEqual(loop);
  expect((await add('/essay/detail/none.html', '/essay/mdetail/none.html')).fields).toEqual(loop);
  expect((await add('/essay/mdetail/old.html', '/help.html')).data.path).toBe('/essay/detail/old.html');
  expect((await add('/scheme', 'http://site.test/scheme')).fields).toEqual(loop);
});

test.each(['/tags/c%23', '/why%3F', '/a%5Cb', '/%2Fab', '/end%20', '/%2541', '/%25zz%3F', '/%C4%E3'])(
  'an address with an escaped character stays the same: %s',
  async (path) => {
    const { data } = await add(path, '/help.html');
    const update = (input: object) =>
      t.call('PUT core/sys/redirect/', { id: data.id, ...input }, { token: staff });
    expect((await update({ target: '/about.html' })).data.path).toBe(data.path);
    expect((await update({ path: data.path, target: '/help.html' })).data.path).toBe(data.path);
    expect((await add(data.path, '/help.html')).fields?.path).toBe('这个旧网址已有跳转');
    const response = await t.app.server.inject({ url: path });
    expect([response.statusCode, response.headers.location]).toEqual([301, '/help.html']);
  },
);

test('changes and removes redirects, and logs it', async () => {
  const { data } = await add('/change/me', '/help.html');
  const update = (input: object) =>
    t.call('PUT core/sys/redirect/', { id: data.id, ...input }, { token: staff });
  expect((await update({ target: '/about.html' })).data).toMatchObject({
    id: data.id,
    path: '/change/me',
    target: '/about.html',
    createdAt: data.createdAt,
  });
  expect((await update({ path: '/changed' })).data).toMatchObject({
    path: '/changed',
    target: '/about.html',
  });
  expect((await update({ path: '/home' })).status).toBe(422);
  expect((await update({ target: '/changed' })).fields?.target).toContain('循环跳转');
  expect(await targetOf('/changed')).toBe('/about.html');
  const other = await add('/change/other', '/help.html');
  expect((await update({ path: '/change/other' })).fields?.path).toBe('这个旧网址已有跳转');
  const remove = (input: object) => t.call('DELETE core/sys/redirect/', input, { token: staff });
  expect((await remove({ ids: [data.id, other.data.id] })).data).toEqual({ done: true });
  expect((await remove({ id: data.id })).status).toBe(404);
  expect((await remove({})).status).toBe(422);
  expect((await update({ target: '/help.html' })).status).toBe(404);
  const log = await t.call('GET core/sys/log/', { pageSize: 20 }, { token: await t.signInAdmin() });
  expect(log.data.list.map(({ target, after }) => [target, after])).toContainEqual([
    `redirect:${data.id}`,
    { path: '/changed', target: '/about.html' },
  ]);
});

test('a redirect to an essay follows its address, and an existing essay cannot be redirected', async () => {
  const id = await publishEssay(t, writer);
  const { data } = await add('/old/essay', `https://site.test/essay/detail/${id}.html`);
  expect(data).toMatchObject({ target: `/essay/detail/${id}.html`, essay: { id, removed: false } });
  const slug = { id, version: 1, slug: 'followed-essay' };
  expect((await t.call('PUT core/essay/', slug, { token: writer.token })).errorMessage).toBeUndefined();
  expect(await targetOf('/old/essay')).toBe('/essay/detail/followed-essay.html');
  for (const path of [`/essay/detail/${id}.html`, '/essay/mdetail/followed-essay.html'])
    expect((await add(path, '/help.html')).fields?.path).toContain('有文章');
  expect((await add('/old/slug', '/essay/detail/followed-essay.html')).data.essay?.id).toBe(id);
});

const importCsv = async (csv: string | Buffer, overwrite = 0) => {
  const boundary = 'xxBOUNDARYxx';
  const payload = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n`,
    ),
    Buffer.from(csv),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const response = await t.app.server.inject({
    method: 'POST',
    url: `/api/core/sys/redirect/import?overwrite=${overwrite}`,
    headers: { token: staff, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  return response.json();
};

test('imports CSV with a report per line', async () => {
  const { data } = await importCsv(
    [
      '\ufeff旧网址,新网址',
      '/csv/1,/help.html',
      '"/csv/2, with comma","/about.html"',
      '',
      '/csv/1,/about.html',
      '/home,/help.html',
      '/csv/3',
      '/csv/4,ftp://x',
      '/csv/5,/csv/6',
      '/csv/6,/csv/5',
    ].join('\r\n'),
  );
  expect(data).toMatchObject({ added: 3, updated: 0, refused: 5 });
  expect(data.problems.map(({ line, reason }: { line: number; reason: string }) => [line, reason])).toEqual([
    [5, '这个旧网址已有跳转'],
    [6, expect.stringContaining('本站自己的网址')],
    [7, '要有旧网址和新网址两列'],
    [8, expect.stringContaining('新网址要么是')],
    [10, expect.stringContaining('循环跳转')],
  ]);
  expect(await targetOf('/csv/2, with comma')).toBe('/about.html');
  expect((await importCsv('/csv/1,/about.html')).data).toMatchObject({ added: 0, refused: 1 });
  expect((await importCsv('/csv/1,/about.html', 1)).data).toMatchObject({ updated: 1, refused: 0 });
  expect(await targetOf('/csv/1')).toBe('/about.html');
});

test('refuses to redirect an address that more than 200 redirects lead to, and takes the other lines', async () => {
  const toHub = Array.from({ length: 201 }, (_, n) => `/hub/${n},/hub/old`);
  expect((await importCsv(toHub.join('\n'))).data.added).toBe(201);
  const { data } = await importCsv(
    ['/hub/x,/help.html', '/hub/old,/hub/new', '/hub/y,/hub/old', '/hub/y2,/hub/y'].join('\n'),
  );
  expect(data).toMatchObject({
    added: 3,
    refused: 1,
    problems: [{ line: 2, path: '/hub/old', reason: expect.stringContaining('超过 200 条') }],
  });
  expect(await targetOf('/hub/y2')).toBe('/hub/old');
  expect((await add('/hub/old', '/hub/new')).fields?.path).toContain('超过 200 条');
});

test('refuses a file with too many lines as a whole, and text that is not UTF-8', async () => {
  const lines = Array.from({ length: 50_001 }, (_, at) => `/many/${at},/help.html\n`).join('');
  const answer = await importCsv(lines);
  expect(answer).toMatchObject({
    success: false,
    data: { fields: { file: expect.stringContaining('50000 行') } },
  });
  expect((await list({ keyword: '/many/' })).list).toEqual([]);
  const long = await importCsv(`${' '.repeat(5_000_000)}\n/after/long,/help.html`);
  expect(long.data).toMatchObject({ added: 1, problems: [{ line: 1, reason: '这一行太长' }] });
  const gbk = await importCsv(Buffer.from([0x2f, 0xc4, 0xe3, 0x2c, 0x2f, 0x62]));
  expect(gbk.data.problems[0].reason).toContain('UTF-8');
});

test('exports everything in parts, and the export can be imported again', async () => {
  const rows = Array.from({ length: 2100 }, (_, at) => `/export/${at},/help.html\n`).join('');
  expect((await importCsv(rows)).data.added).toBe(2100);
  const read = (after?: string) =>
    t.call('GET core/sys/redirect/export', after === undefined ? {} : { after }, { token: staff });
  const { csv, next } = (await read()).data;
  const rest = (await read(next ?? '')).data;
  expect(rest.next).toBeNull();
  expect(csv.startsWith('\ufeff旧网址,新网址,')).toBe(true);
  const total = (csv + rest.csv).trim().split('\r\n').length - 1;
  const again = (await importCsv(csv + rest.csv, 1)).data;
  expect(again).toMatchObject({ added: 0, updated: total, refused: 0 });
});

test('an import stores its redirects once, skips what it may not take, and can be undone', async () => {
  const ctx = systemCtx(t.app.services);
  const essayId = await publishEssay(t, writer);
  await add('/import/by-hand', '/help.html');
  const transferId = newId();
  const rows = [
    { path: '/import/1/', essayId },
    { path: '/import/2', target: '/import/1' },
    { path: '/import/by-hand', essayId },
    { path: '/home', essayId },
    { path: '/import/nobody', essayId: newId() },
  ];
  const skipped = [
    { path: '/import/by-hand', reason: '这个旧网址已有跳转' },
    { path: '/home', reason: expect.stringContaining('本站自己') },
    { path: '/import/nobody', reason: '没有这篇文章' },
  ];
  const first = await importRedirects(ctx, { transferId, rows });
  expect(first).toMatchObject({ added: 2, updated: 0 });
  expect(first.skipped).toHaveLength(3);
  expect(first.skipped).toEqual(expect.arrayContaining(skipped));
  expect(await importRedirects(ctx, { transferId, rows })).toMatchObject({ added: 0, updated: 2 });
  expect(await targetOf('/import/2')).toBe(`/essay/detail/${essayId}.html`);
  expect(await removeRedirectsOf(ctx, transferId)).toBe(2);
  expect(await targetOf('/import/1')).toBeUndefined();
  expect(await targetOf('/import/by-hand')).toBe('/help.html');
});

test('requires a separate permission for each action', async () => {
  const { data } = await add('/permission', '/help.html');
  await expectPermissionRequired(t, [
    ['redirect:list', 'GET core/sys/redirect/', {}],
    ['redirect:list', 'GET core/sys/redirect/export', {}],
    ['redirect:list', 'GET core/sys/redirect/missing', {}],
    ['redirect:create', 'POST core/sys/redirect/', { path: '/never', target: '/help.html' }],
    ['redirect:update', 'PUT core/sys/redirect/', { id: data.id, target: '/about.html' }],
    ['redirect:remove', 'DELETE core/sys/redirect/missing', { all: true }],
    ['redirect:remove', 'DELETE core/sys/redirect/', { id: data.id }],
  ]);
});
