import { strToU8, zipSync } from 'fflate';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Ctx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, submitEssay } from '../../../testing/essays.ts';
import { createPng, uploadPicture } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { exportSite, importFile, listItems, unzipFiles, waitForTransfer } from '../../../testing/transfer.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { checkCounters } from '../system/index.ts';
import { resumeTransfers, runTransfer } from './actions/run-transfer.ts';
import { transferRows } from './queries/runs.ts';

let a: TestApp;
let b: TestApp;
let adminA: string;
let adminB: string;
beforeAll(async () => {
  [a, b] = await Promise.all([startTestApp({ runsJobs: true }), startTestApp({ runsJobs: true })]);
  [adminA, adminB] = await Promise.all([a.signInAdmin(), b.signInAdmin()]);
});
afterAll(() => Promise.all([a.close(), b.close()]));

/** Removes expected differences of a round trip: pictures are encoded again and attachments get new ids. */
function normalize(files: Record<string, Buffer>): Record<string, string> {
  const names = new Map<string, string>();
  const replaceNames = (text: string) =>
    text
      .replace(/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.webp|attachments\/[0-9a-f]{32}/g, (name) => {
        names.set(name, names.get(name) ?? `${name.slice(0, 5)} ${names.size}`);
        return names.get(name) ?? '';
      })
      .replace(/"madeAt": ".*?"/, '');
  const texts = Object.entries(files)
    .filter(([name]) => /\.(md|json)$/.test(name) && !name.startsWith('attachments/'))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const others = Object.entries(files).filter(([name]) => name.startsWith('attachments/'));
  return {
    ...Object.fromEntries(texts.map(([name, content]) => [name, replaceNames(content.toString())])),
    ...Object.fromEntries(others.map(([name, content]) => [replaceNames(name), content.toString('latin1')])),
    pictures: String(Object.keys(files).filter((name) => name.startsWith('files/')).length),
  };
}

/** Creates a published page with a picture, a draft, an edited navigation and friend links. */
async function createFrame(t: TestApp, admin: string, categoryId: string): Promise<void> {
  const path = await uploadPicture(t, admin, { background: '#118811' });
  const { data } = await t.call(
    'POST core/sys/page/',
    { title: '团队', slug: '团队', content: `![合影](${path})`, published: 1 },
    { token: admin },
  );
  await t.call(
    'POST core/sys/page/',
    { title: '没写完', slug: 'unfinished', content: '草' },
    { token: admin },
  );
  const header = [
    { kind: 'page', page: data.page },
    { kind: 'category', categoryId, label: '诗歌', enabled: 0 },
    { kind: 'link', url: 'https://example.com/docs', label: '文档' },
  ];
  await t.call('PUT core/sys/nav/', { version: 1, header }, { token: admin });
  const logo = await uploadPicture(t, admin, { background: '#880000' });
  for (const link of [
    { name: '邻居', url: 'https://a.example', logo },
    { name: '远亲', url: 'https://b.example', enabled: 0 },
  ])
    await t.call('POST core/sys/friend-link/', link, { token: admin });
}

/** Creates content of every kind. */
async function createContent(t: TestApp, admin: string) {
  const writer = await createWriter(t, '林一');
  const emailWriter = await createWriter(t, '邮箱作者');
  await t.query('update accounts set name = $1, email = $1 where user_id = $2', [
    'who@mail.test',
    emailWriter.user.id,
  ]);
  await t.call('POST core/sys/category/', { slug: 'poems', name: '诗' }, { token: admin });
  const [poems] = await t.query<{ id: string }>("select id from categories where slug = 'poems'");
  const path = await uploadPicture(t, writer.token, { background: '#336699' });
  const cover = await uploadPicture(t, writer.token, { background: '#aa3311' });
  const shareCover = await uploadPicture(t, writer.token, { background: '#33aa11' });
  const file = { name: '讲义.pdf', content: Buffer.from('%PDF-1.7 words') };
  const attached = await uploadFile(t, 'core/minio/upload?kind=attachment', file, writer.token);
  const column = await t.call(
    'POST core/essay/column',
    { name: '连载', summary: '一本小书' },
    { token: writer.token },
  );
  const first = await publishEssay(t, writer, {
    content: `\n## 图\r\n\n![图](${path})\n\n\`${path}\` 结尾没有换行`,
    cover,
    shareCover,
    tags: ['存储', 'SQL'],
    price: 990,
    previewPercent: 40,
    categoryId: poems?.id ?? null,
    columnId: column.data.id,
    attachments: [attached.data.id],
    declaration: 'reprint',
    source: 'https://example.com/a',
  });
  const second = await publishEssay(t, writer, { columnId: column.data.id, allowComment: true });
  await t.call(
    'PUT core/essay/column',
    { id: column.data.id, essayIds: [second, first] },
    { token: writer.token },
  );
  const draft = { title: '草稿：---', content: '---\n没写完', categoryId: null };
  await t.call('POST core/essay/', draft, { token: writer.token });
  const off = await publishEssay(t, emailWriter, {});
  await t.call('PUT core/essay/status', { id: off, status: 4, reason: '有误' }, { token: admin });
  const refused = await submitEssay(t, writer);
  await t.call('PUT core/essay/status', { id: refused, status: 5, reason: '太短' }, { token: admin });
  await submitEssay(t, emailWriter);
  await t.call('PUT core/essay/', { id: second, version: 1, content: '改了一半' }, { token: writer.token });
  const { addComment, reply, edit, remove } = commentCalls(t);
  const pinned = await addComment(second, '**说得好**', emailWriter.token);
  await reply(pinned.data.id, '谢谢', writer.token);
  await edit(pinned.data.id, { pinned: true }, writer.token);
  const gone = await addComment(second, '删掉的', emailWriter.token);
  await reply(gone.data.id, '还在的回复', writer.token);
  await remove(gone.data.id, emailWriter.token);
  const about = await t.call('GET core/sys/page/', { page: 'about' }, { token: admin });
  const { version } = about.data as { version: number };
  await t.call('PUT core/sys/page/', { page: 'about', version, content: '## 我们' }, { token: admin });
  await createFrame(t, admin, poems?.id ?? '');
  // The former slug of a published essay leads to it.
  for (const slug of ['old-words', 'clear-words']) {
    const saved = await t.call('PUT core/essay/', { id: second, version: 2, slug }, { token: writer.token });
    expect(saved.data.version).toBe(2);
  }
  for (const [path, target] of [
    ['/2019/hello?p=1', `/essay/detail/${first}.html`],
    ['/elsewhere', 'https://example.com/else'],
  ])
    await t.call('POST core/sys/redirect/', { path, target }, { token: admin });
  return { writer, first, second };
}

test('exporting, importing into an empty site and exporting again gives the same archive', async () => {
  const { first, second, writer } = await createContent(a, adminA);
  const zip = await exportSite(a, adminA);
  const files = unzipFiles(zip);
  const isSecret = (content: Buffer) => /who@mail|\$argon2|passwordHash/.test(content.toString());
  expect(Object.keys(files).filter((name) => isSecret(files[name] as Buffer))).toEqual([]);
  expect(files[`essays/${first}.md`]?.toString()).toMatch(
    /\n---\n\n\n## 图\r\n\n!\[图\]\(\.\.\/files\/[0-9a-f]{2}\//,
  );
  expect(files[`essays/${first}.md`]?.toString()).toContain('price: 990');
  expect(files[`drafts/${second}.md`]?.toString()).toContain('改了一半');
  expect(JSON.parse(files['manifest.json']?.toString() ?? '')).toMatchObject({
    format: 'mozhan-export',
    version: 1,
    scope: 'site',
    counts: {
      essays: 6,
      drafts: 1,
      pictures: 5,
      attachments: 1,
      authors: 2,
      columns: 1,
      comments: 4,
      pages: 8,
      redirects: 3,
    },
  });

  const run = await importFile(b, adminB, { name: 'site.zip', content: zip });
  expect(run).toMatchObject({ status: 'done', format: 'mozhan', message: '' });
  const items = await listItems(b, adminB, run.id);
  const skipped = items.filter(({ outcome }) => outcome === 'skipped');
  expect(new Set(skipped.map(({ note }) => note))).toEqual(new Set(['已存在', '内容相同']));
  expect(items.find(({ kind }) => kind === 'author')?.note).toContain('重置密码后才能登录');
  expect(run.done).toBe(run.total);
  expect(normalize(unzipFiles(await exportSite(b, adminB)))).toEqual(normalize(files));

  expect((await b.call('GET core/essay/slug', { slug: 'clear-words' })).data.id).toBe(second);
  const redirects = await b.call('GET core/sys/redirect/', {}, { token: adminB });
  expect(redirects.data.list.map(({ path, target, essay }) => [path, essay?.id ?? target]).sort()).toEqual([
    ['/2019/hello?p=1', first],
    ['/elsewhere', 'https://example.com/else'],
    ['/essay/detail/old-words.html', second],
  ]);

  const { data } = await b.call('GET core/essay/{id}', { id: second });
  expect(data).toMatchObject({ title: expect.stringContaining('把事情说清楚'), cmtCount: 3 });
  expect(data.column).toMatchObject({ name: '连载', position: 1, count: 2 });
  const { data: same } = await a.call('GET core/essay/{id}', { id: second });
  expect(data.publishedAt).toBe(same.publishedAt);
  expect((await b.call('GET core/essay/', { keyword: '存储' })).data.list.map(({ id }) => id)).toContain(
    first,
  );
  expect(await checkCounters(systemCtx(b.app.services))).toEqual([]);
  await expectCorrectCounters(b);
  const page = (await b.call('GET core/site/page', { slug: '团队' })).data;
  expect(page.html).toContain('alt="合影"');
  expect((await b.call('GET core/site/page', { slug: 'unfinished' })).status).toBe(404);
  expect((await b.call('GET core/site/')).data.navigation).toEqual({
    header: [
      { label: '团队', to: page.path, icon: 'page' },
      { label: '文档', to: 'https://example.com/docs', icon: 'link' },
    ],
  });
  expect((await b.call('GET core/site/link')).data).toMatchObject([
    { name: '邻居', logo: expect.stringMatching(/^\/files\//) },
  ]);

  // Nobody can sign in with an imported account, and a second import creates nothing.
  const signIn = await b.call('POST core/account/login', {
    account: writer.user.account,
    password: 'correct horse 电池',
  });
  expect(signIn.errorCode).toBe('WRONG_PASSWORD');
  const again = await importFile(b, adminB, { name: 'site.zip', content: zip });
  expect((await listItems(b, adminB, again.id)).filter(({ outcome }) => outcome === 'created')).toEqual([]);

  const reader = await b.register();
  await commentCalls(b).addComment(second, '后来的评论', reader.token);
  const pages = await b.call('GET core/sys/page/all', {}, { token: adminB });
  const changed = pages.data.find(({ slug }) => slug === 'unfinished');
  await b.call(
    'PUT core/sys/page/',
    { page: changed?.page, version: 1, content: '接着写' },
    { token: adminB },
  );
  const undone = await b.call('POST core/sys/transfer/undo', { id: run.id }, { token: adminB });
  expect(undone.data.status).toBe('undoing');
  expect((await waitForTransfer(b, adminB, run.id)).status).toBe('undone');
  const keptItems = (await listItems(b, adminB, run.id)).filter(({ outcome }) => outcome === 'kept');
  expect(keptItems.map(({ kind, note }) => [kind, note])).toEqual([
    ['author', '账号已在使用，或还有内容'],
    ['author', '账号已在使用，或还有内容'],
    ['column', '里面还有文章'],
    ['page', '之后有人改过'],
    ['essay', '之后有人评论'],
    ['comments', '文章保留，评论也保留'],
  ]);
  expect(await b.query('select id from essays')).toEqual([{ id: second }]);
  expect(await b.query("select 1 from categories where slug = 'poems'")).toEqual([]);
  const { data: about } = await b.call('GET core/sys/page/', { page: 'about' }, { token: adminB });
  expect((about as { content: string }).content).not.toContain('## 我们');
  expect(await b.query('select slug from pages where transfer_id is not null')).toEqual([
    { slug: 'unfinished' },
  ]);
  expect((await b.call('GET core/site/')).data).not.toHaveProperty('navigation');
  expect((await b.call('GET core/sys/friend-link/', {}, { token: adminB })).data).toEqual([]);
  expect(await checkCounters(systemCtx(b.app.services))).toEqual([]);
  await expectCorrectCounters(b);
  expect((await importFile(b, adminB, { name: 'site.zip', content: zip })).report).toContainEqual({
    kind: 'essay',
    outcome: 'created',
    count: 5,
  });
});

const post = (n: number, more = '') =>
  strToU8(
    `---\ntitle: 第 ${n} 篇旧文\ndate: 2020-0${n}-01 08:00:00\ntags: [旧文]\n---\n\n正文 ${n}。${more}\n`,
  );

/** Creates a run without a job, so that only the test works on it. */
async function createWaitingRun(t: TestApp, content: Uint8Array, authorId: string): Promise<string> {
  const { services } = t.app;
  const { Readable } = await import('node:stream');
  const file = await services.files.receive('blog.zip', Readable.from([Buffer.from(content)]));
  const { bytes } = file;
  const id = newId();
  await transferRows.insert(systemCtx(services).db, {
    id,
    kind: 'import',
    scope: 'site',
    format: 'auto',
    status: 'waiting',
    authorId,
    filePath: await services.files.storePrivate(file),
    fileName: 'blog.zip',
    fileBytes: bytes,
    createdAt: services.clock(),
  });
  return id;
}

test('an interrupted run continues and imports nothing twice', async () => {
  const writer = await createWriter(a);
  const posts = Object.fromEntries([1, 2, 3, 4].map((n) => [`source/_posts/old-${n}.md`, post(n)]));
  const id = await createWaitingRun(
    a,
    zipSync({ ...posts, '_config.yml': strToU8('title: x') }),
    writer.user.id,
  );
  const ctx = systemCtx(a.app.services);
  const count = async () =>
    (await a.query("select 1 from essays where author_id = $1 and title like '%旧文'", [writer.user.id]))
      .length;

  let renderCount = 0;
  const { run: runJob } = Piscina.prototype;
  const runSpy = vi.spyOn(Piscina.prototype, 'run').mockImplementation(function (this: Piscina, ...job) {
    if (this.options.filename?.endsWith('text-worker.ts')) renderCount += 1;
    return runJob.apply(this, job);
  });
  const clock = () => {
    // The third essay is rendered after the first was imported.
    if (renderCount > 2) throw new Error('the process was interrupted');
    return ctx.services.clock();
  };
  const log = { ...ctx.services.log, error: () => {} } as Ctx['services']['log'];
  await expect(runTransfer({ ...ctx, services: { ...ctx.services, clock, log } }, id)).rejects.toThrow(
    'interrupted',
  );
  runSpy.mockRestore();
  const half = await count();
  expect([1, 2, 3]).toContain(half);

  // Simulates a killed process: the run is claimed, but its heartbeat is old.
  const old = new Date(ctx.now.getTime() - 3 * 60_000);
  await a.query('update transfers set status = $1, runner = $2, alive_at = $3 where id = $4', [
    'running',
    newId(),
    ctx.now,
    id,
  ]);
  await runTransfer(ctx, id);
  expect(await count()).toBe(half);
  await a.query('update transfers set alive_at = $1 where id = $2', [old, id]);
  await resumeTransfers(ctx);
  const run = await waitForTransfer(a, adminA, id, (each) => each.fileBytes === null);
  expect(run).toMatchObject({ status: 'done', format: 'hexo', total: 4, done: 4, fileBytes: null });
  expect(await count()).toBe(4);
  const [row] = await a.query<{ published_at: Date; status: number }>(
    "select published_at, status from essays where title = '第 1 篇旧文'",
  );
  expect(row?.status).toBe(3);
  expect(row?.published_at.getUTCFullYear()).toBe(2020 - Number(row?.published_at.getUTCMonth() === 11));
});

test('encodes imported pictures again, and skips and reports invalid files', async () => {
  const writer = await createWriter(a);
  const zip = zipSync({
    'source/_posts/one.md': post(
      1,
      '![好](/images/a.png) ![坏](/images/b.png) ![远](https://example.com/c.png)',
    ),
    'source/_posts/two.md': post(2, 'x'.repeat(200_001)),
    'source/images/a.png': await createPng({ background: '#00ff00' }),
    'source/images/b.png': strToU8('<svg onload=alert(1)>'),
    '../../evil.md': post(3),
    '_config.yml': strToU8('title: x'),
  });
  const run = await importFile(
    a,
    adminA,
    { name: 'blog.zip', content: zip },
    `?authorId=${writer.user.id}&asDrafts=1&fetchPictures=0`,
  );
  expect(run.status).toBe('done');
  const items = await listItems(a, adminA, run.id);
  const noteOf = (title: string) => items.find((item) => item.title.includes(title))?.note;
  expect(noteOf('evil.md')).toBe('文件名指向压缩包之外');
  expect(noteOf('b.png')).toContain('无法识别的图片');
  expect(noteOf('第 2 篇旧文')).toContain('最多 200000 个字');
  expect(noteOf('第 1 篇旧文')).toContain('在别的网站上');
  const [essay] = await a.query<{ content: string; status: number }>(
    'select content, status from essays join essay_revisions on essay_id = id where author_id = $1',
    [writer.user.id],
  );
  expect(essay?.status).toBe(0);
  expect(essay?.content).toMatch(/!\[好\]\(\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.webp\)/);
  expect(essay?.content).toContain('https://example.com/c.png');

  const bad = await importFile(a, adminA, { name: 'notes.txt', content: strToU8('nothing') });
  expect(bad).toMatchObject({
    status: 'failed',
    message: '认不出这是什么格式，请选择后再试',
    fileBytes: null,
  });
});

test('a column with the id of a column of another author gets an id of its own', async () => {
  const [owner, writer] = [await createWriter(a), await createWriter(a)];
  const taken = await a.call('POST core/essay/column', { name: '先有的' }, { token: owner.token });
  const { id } = taken.data;
  const column = { id, author: writer.user.account, name: '导入的', createdAt: '2020-01-02T03:04:05.000Z' };
  const manifest = { format: 'mozhan-export', version: 1, scope: 'site', counts: { essays: 0 } };
  const content = zipSync({
    'manifest.json': strToU8(JSON.stringify(manifest)),
    'columns.json': strToU8(`[\n${JSON.stringify(column)}\n]`),
  });
  const run = await importFile(a, adminA, { name: 'site.zip', content });
  expect(run).toMatchObject({ status: 'done', message: '' });
  const columns = await a.query(
    'select author_id, name from columns where author_id = any($1) order by name',
    [[owner.user.id, writer.user.id]],
  );
  expect(columns.map(({ name }) => name)).toEqual(['先有的', '导入的']);
});

test('checks permissions, inputs and links', async () => {
  const reader = await a.register();
  const listStaff = await createStaff(a, ['transfer:list']);
  for (const [token, status] of [
    [undefined, 401],
    [reader.token, 403],
  ] as const)
    expect((await a.call('GET core/sys/transfer/', {}, { token })).status).toBe(status);
  expect(
    (await a.call('GET core/sys/transfer/', {}, { token: listStaff.token })).data.list.length,
  ).toBeGreaterThan(0);
  for (const route of ['POST core/sys/transfer/export', 'POST core/sys/transfer/undo'] as const)
    expect((await a.call(route, { scope: 'site', id: newId() }, { token: listStaff.token })).status).toBe(
      403,
    );
  const file = { name: 'a.zip', content: strToU8('x') };
  expect((await uploadFile(a, 'core/sys/transfer/import', file, listStaff.token)).errorCode).toBe(
    'FORBIDDEN',
  );
  const wrong = await uploadFile(a, `core/sys/transfer/import?authorId=${reader.user.id}`, file, adminA);
  expect(wrong.data.fields).toEqual({ authorId: '请选择一位作者' });
  const nobody = await a.call('POST core/sys/transfer/export', { scope: 'author' }, { token: adminA });
  expect(nobody.fields).toEqual({ authorId: '请选择作者' });

  const { data } = await a.call('GET core/sys/transfer/', { kind: 'export' }, { token: adminA });
  const id = data.list[0]?.id ?? '';
  expect((await a.call('POST core/sys/transfer/undo', { id }, { token: adminA })).errorCode).toBe(
    'TRANSFER_REFUSED',
  );
  expect((await a.call('POST core/sys/transfer/cancel', { id }, { token: adminA })).errorCode).toBe(
    'TRANSFER_REFUSED',
  );
  const { data: link } = await a.call('GET core/sys/transfer/file', { id }, { token: adminA });
  const wrongUrl = link.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  expect((await a.app.server.inject({ url: wrongUrl })).statusCode).toBe(404);
  for (const end of [
    'delete from account_roles where user_id = $1',
    'delete from sessions where user_id = $1',
  ]) {
    const exporter = await createStaff(a, ['transfer:create']);
    const { data: download } = await a.call('GET core/sys/transfer/file', { id }, exporter);
    expect((await a.app.server.inject({ url: download.url })).statusCode).toBe(200);
    await a.query(end, [exporter.user.id]);
    expect((await a.app.server.inject({ url: download.url })).statusCode).toBe(410);
  }
  expect((await a.call('DELETE core/sys/transfer/', { id }, { token: adminA })).success).toBe(true);
  expect((await a.app.server.inject({ url: link.url })).statusCode).toBe(410);
});

test('a writer can export their own essays once an hour', async () => {
  const writer = await createWriter(a);
  const essayId = await publishEssay(a, writer);
  await a.call('POST core/essay/', { title: '没写完' }, { token: writer.token });
  const { token } = writer;
  expect((await a.call('GET core/user/export', {}, { token })).data.export).toBeNull();
  expect((await a.call('POST core/user/export', {}, { token })).data.status).toBe('waiting');
  expect((await a.call('POST core/user/export', {}, { token })).errorCode).toBe('EXPORT_TOO_SOON');
  let url = '';
  while (url === '') url = (await a.call('GET core/user/export', {}, { token })).data.export?.file?.url ?? '';
  const files = unzipFiles((await a.app.server.inject({ url })).rawPayload);
  const essays = Object.keys(files).filter((name) => name.startsWith('essays/'));
  expect(essays).toHaveLength(2);
  expect(essays).toContain(`essays/${essayId}.md`);
  expect(Object.keys(files)).not.toContain('authors.json');
  expect(
    (await a.call('GET core/sys/transfer/', {}, { token: adminA })).data.list.map(({ by }) => by?.id),
  ).not.toContain(writer.user.id);
});
