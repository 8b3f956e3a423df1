import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RemotePicture, Transfer } from '@mozhan/contract/transfer.ts';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';
import { importPage } from '../../content/site/index.ts';
import { applyPictures } from './actions/apply-pictures.ts';
import { fetchRemotePictures } from './actions/fetch-pictures.ts';
import { queuePictures, recordRemotePictures } from './actions/remote-pictures.ts';
import { failWaitingPictures } from './queries/pictures.ts';
import { insertItem } from './queries/runs.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>x</script><rect width="40" height="20" fill="red"/></svg>';

/** The old site: by path, a picture or a status. */
const asked: string[] = [];
let active = 0;
let mostActive = 0;
let png: Buffer;
const failing = new Map<string, number>();
const oldSite = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://old.test').pathname;
  asked.push(path);
  active += 1;
  mostActive = Math.max(mostActive, active);
  setTimeout(() => {
    active -= 1;
    const status = failing.get(path);
    if (status !== undefined) response.writeHead(status).end();
    else if (path.endsWith('.png')) response.end(png);
    else if (path.endsWith('.svg')) response.end(SVG);
    else if (path === '/moved') response.writeHead(301, { location: '/moved-to.png' }).end();
    else if (path === '/huge') response.end(Buffer.alloc(10 * 1024 * 1024 + 1));
    else response.writeHead(200, { 'content-type': 'image/png' }).end('<html>not a picture</html>');
  }, 30);
});

let t: TestApp;
let admin: string;
let writer: Awaited<ReturnType<typeof createWriter>>;
let base: string;
beforeAll(async () => {
  png = await createPng();
  await new Promise<void>((resolve) => oldSite.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(oldSite.address() as AddressInfo).port}`;
  t = await startTestApp({ runsJobs: true, config: { webhookAllowPrivate: true } });
  admin = await t.signInAdmin();
  writer = await createWriter(t);
});
afterAll(async () => {
  await t.close();
  oldSite.closeAllConnections();
  oldSite.close();
});

const toPost = (title: string, content: string, more = '') =>
  strToU8(`---\ntitle: ${title}\ndate: 2020-02-03 04:05:06\n${more}---\n\n${content}\n`);

function importBlog(
  app: TestApp,
  token: string,
  posts: Record<string, Uint8Array>,
  author: string,
  more = '',
) {
  const files = Object.entries(posts).map(([name, post]) => [`source/_posts/${name}.md`, post] as const);
  const content = Buffer.from(zipSync({ '_config.yml': strToU8('title: 旧'), ...Object.fromEntries(files) }));
  return importFile(app, token, { name: 'blog.zip', content }, `?authorId=${author}${more}`);
}

const waitForPictures = (id: string): Promise<Transfer> =>
  waitForTransfer(t, admin, id, ({ pictures }) => pictures.done + pictures.failed === pictures.total);

async function readEssay(app: TestApp, title: string) {
  const { rows } = await app.app.services.pool.query(
    `select replace(essays.id::text, '-', '') as id, essays.version, essays.cover, essays.updated_at::text as updated, essay_revisions.content, html,
       (select count(*)::int from essay_revisions as each where each.essay_id = essays.id) as versions
     from essays join essay_revisions on essay_id = essays.id and essay_revisions.version = essays.version
     left join essay_texts on essay_texts.essay_id = essays.id and essay_texts.version = essays.version
     where essays.title = $1`,
    [title],
  );
  return rows[0];
}

async function waitForText(title: string, text: string) {
  for (;;) {
    const essay = await readEssay(t, title);
    if (essay.content.includes(text)) return essay;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const listPictures = async (id: string, more = {}): Promise<RemotePicture[]> =>
  (await t.call('GET core/sys/transfer/picture', { id, ...more }, { token: admin })).data.list;

test('fetches pictures and covers, and replaces them in the text without a new version', async () => {
  asked.length = 0;
  const run = await importBlog(
    t,
    admin,
    {
      one: toPost(
        '远处的图',
        `![一](${base}/a.png)\n\n![二](${base}/moved)\n\n![矢量](${base}/b.svg)`,
        `cover: ${base}/c.png\n`,
      ),
      two: toPost('同一张图', `![又](${base}/a.png) <img src="${base}/d.png" alt="丁">`),
    },
    writer.user.id,
  );
  expect(run.pictures.total).toBe(5);
  expect((await waitForPictures(run.id)).pictures).toEqual({ total: 5, done: 5, failed: 0 });
  const one = await waitForText('远处的图', '![矢量](/files/');
  expect(one.content.trim()).toMatch(
    /^!\[一\]\(\/files\/\S+\.webp\)\n\n!\[二\]\(\/files\/\S+\.webp\)\n\n!\[矢量\]\(\/files\/\S+\.webp\)$/,
  );
  expect(one).toMatchObject({ version: 1, versions: 1, cover: expect.stringMatching(/^\/files\//) });
  expect(one.updated).toMatch(/^2020-02-0/);
  expect(one.html).toMatch(/<img[^>]+src="\/files\/[^>]+width="60"/);
  const two = await waitForText('同一张图', '![又](/files/');
  expect(two.content).toMatch(/<img src="\/files\/\S+" alt="丁">/);
  expect(asked.filter((path) => path === '/a.png')).toHaveLength(1);
  expect(mostActive).toBeLessThanOrEqual(2);
  const items = await listItems(t, admin, run.id);
  expect(items.filter(({ kind }) => kind === 'file')).toHaveLength(5);
  expect(items.filter(({ kind }) => kind === 'essay').map(({ note }) => note)).toEqual(['', '']);
});

test('links to what cannot be fetched, lists it with its essays, and fetches it on a retry', async () => {
  failing.set('/gone.png', 404);
  const run = await importBlog(
    t,
    admin,
    {
      three: toPost(
        '缺图',
        `![好](${base}/e.png)\n\n![没了](${base}/gone.png)\n\n![大](${base}/huge)\n\n![](${base}/page.html)`,
      ),
    },
    writer.user.id,
  );
  expect((await waitForPictures(run.id)).pictures).toEqual({ total: 4, done: 1, failed: 3 });
  const { content, id } = await waitForText('缺图', `[没了](${base}/gone.png "图片没有取回")`);
  expect(content).toContain(`[page.html](${base}/page.html "图片没有取回")`);
  const failed = await listPictures(run.id, { status: 'failed' });
  expect(failed.map(({ url, error }) => [url.slice(base.length), error])).toEqual([
    ['/gone.png', '对方响应 404'],
    ['/huge', '文件太大，最大 10 MB'],
    ['/page.html', '无法识别的图片'],
  ]);
  expect(failed[0]).toMatchObject({
    usedIn: [{ kind: 'essay', id, title: '缺图', isCover: false }],
    attempts: 1,
  });

  failing.delete('/gone.png');
  const pictureIds = [failed[0]?.id ?? ''];
  const retried = await t.call(
    'POST core/sys/transfer/picture/retry',
    { id: run.id, pictureIds },
    { token: admin },
  );
  expect(retried.data.pictures).toEqual({ total: 4, done: 1, failed: 2 });
  expect((await waitForPictures(run.id)).pictures).toEqual({ total: 4, done: 2, failed: 2 });
  const after = await waitForText('缺图', '![没了](/files/');
  expect(after).toMatchObject({ version: 1, versions: 1 });
  expect(after.content).toContain(`[大](${base}/huge "图片没有取回")`);
});

test('tries three times after temporary failures', async () => {
  failing.set('/busy.png', 503);
  asked.length = 0;
  const run = await importBlog(t, admin, { four: toPost('忙', `![忙](${base}/busy.png)`) }, writer.user.id);
  const find = async () => (await listPictures(run.id))[0];
  // An attempt may be under way, so the time of the next one is not known.
  while ((await find())?.status === 'waiting') {
    t.advance(6 * 60_000);
    await queuePictures(systemCtx(t.app.services));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  expect(await find()).toMatchObject({ status: 'failed', attempts: 3, error: '对方响应 503' });
  expect(asked.filter((path) => path === '/busy.png')).toHaveLength(3);
  await waitForText('忙', '[忙](');
});

test('keeps the text of an essay that was edited, and says so', async () => {
  failing.set('/later.png', 503);
  const run = await importBlog(
    t,
    admin,
    { five: toPost('改过', `![图](${base}/later.png)`) },
    writer.user.id,
  );
  const { id } = await readEssay(t, '改过');
  const edited = await t.call(
    'PUT core/essay/',
    { id, version: 1, content: `改了 ![图](${base}/later.png)` },
    { token: writer.token },
  );
  expect(edited.errorMessage).toBeUndefined();
  failing.delete('/later.png');
  // An attempt may be under way, so the time of the next one is not known.
  while ((await listPictures(run.id))[0]?.status === 'waiting') {
    t.advance(6 * 60_000);
    await queuePictures(systemCtx(t.app.services));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const findItem = async () => (await listItems(t, admin, run.id)).find(({ kind }) => kind === 'essay');
  while ((await findItem())?.note === '') await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await findItem())?.note).toBe('之后有人改过，正文里别的网站的图片和附件没有换');
  expect((await readEssay(t, '改过')).content).toBe(`改了 ![图](${base}/later.png)`);
});

/** An app without jobs that has an imported page with these pictures. */
async function startWithPage(content: string, urls: string[]) {
  const other = await startTestApp({ config: { webhookAllowPrivate: true } });
  const ctx = systemCtx(other.app.services);
  const author = await createWriter(other);
  const { rows } = await other.app.services.pool.query(
    `insert into transfers (id, kind, scope, format, status, user_id, created_at)
     values (gen_random_uuid(), 'import', 'site', 'hexo', 'done', $1, now()) returning replace(id::text, '-', '') as id`,
    [author.user.id],
  );
  const transferId: string = rows[0].id;
  const page = await importPage(ctx, {
    slug: 'about',
    title: '关于',
    content,
    publishedAt: null,
    updatedAt: null,
    isPublished: true,
    transferId,
  });
  await recordRemotePictures(ctx, { transferId, pageId: page.id, urls, attachments: [], cover: '' });
  return { other, ctx, page, transferId };
}

test('a host that does not answer gets two requests from all processes and holds up no other host', async () => {
  const released = Promise.withResolvers<void>();
  let waiting = 0;
  let mostWaiting = 0;
  const slow = createServer(async (_, response) => {
    waiting += 1;
    mostWaiting = Math.max(mostWaiting, waiting);
    await released.promise;
    waiting -= 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const slowBase = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const urls = [
    ...Array.from({ length: 210 }, (_, n) => `${slowBase}/${n}.png`),
    ...Array.from({ length: 6 }, (_, n) => `${base}/beside-${n}.png`),
  ];
  const { other, ctx } = await startWithPage(urls.map((url) => `![](${url})`).join('\n'), urls);
  const countDone = async () =>
    (await other.app.services.pool.query("select from remote_pictures where status = 'done'")).rowCount;
  const runs = [fetchRemotePictures(ctx), fetchRemotePictures(ctx)];
  while ((await countDone()) !== 6) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(waiting).toBe(2);
  released.resolve();
  await Promise.all(runs);
  expect(mostWaiting).toBe(2);
  await other.close();
  slow.close();
});

test('the last two pictures of a text, fetched at the same time, change it once and report no edit', async () => {
  const url = `${base}/both.png`;
  const { other, ctx, page, transferId } = await startWithPage(`![图](${url})`, [url]);
  await insertItem(ctx.db, {
    transferId,
    key: 'about',
    seq: newId(),
    kind: 'page',
    outcome: 'created',
    title: '关于',
    note: '',
    targetId: page.id,
    detail: null,
  });
  await failWaitingPictures(ctx.db, transferId, '对方响应 404');
  const target = { transferId, essayId: null, pageId: page.id };
  await Promise.all([applyPictures(ctx, target), applyPictures(ctx, target)]);
  const { rows } = await other.app.services.pool.query(
    'select content, note from pages join transfer_items on target_id = pages.id',
  );
  expect(rows).toEqual([{ content: `[图](${url} "图片没有取回")`, note: '' }]);
  await other.close();
});

test('continues after a process was killed', async () => {
  const urls = [`${base}/k1.png`, `${base}/k2.png`];
  const { other, ctx, page } = await startWithPage(`![甲](${urls[0]}) ![乙](${urls[1]})`, urls);
  // A killed process had claimed one picture.
  const now = other.app.services.clock();
  await other.app.services.pool.query(
    'update remote_pictures set attempts = 1, leased_until = $1 where url = $2',
    [new Date(now.getTime() + 60_000), urls[0]],
  );
  const readPage = async () =>
    (
      await other.app.services.pool.query(
        'select content, version, imported_version from pages where id = $1',
        [page.id],
      )
    ).rows[0];
  await fetchRemotePictures(ctx);
  expect((await readPage()).content).toContain(`![甲](${base}/k1.png)`);
  other.advance(61_000);
  await fetchRemotePictures(ctx);
  const after = await readPage();
  expect(after.content).toMatch(/^!\[甲\]\(\/files\/\S+\) !\[乙\]\(\/files\/\S+\)$/);
  expect(after.version).toBe(after.imported_version);
  await other.close();
});

test('does not contact private addresses unless the setting allows it', async () => {
  const other = await startTestApp({ runsJobs: true });
  const token = await other.signInAdmin();
  const author = await createWriter(other);
  asked.length = 0;
  const run = await importBlog(other, token, { six: toPost('内网', `![内](${base}/a.png)`) }, author.user.id);
  await waitForTransfer(other, token, run.id, ({ pictures }) => pictures.failed === 1);
  const { data } = await other.call('GET core/sys/transfer/picture', { id: run.id }, { token });
  expect(data.list.map(({ error }) => error)).toEqual(['地址在本机或内网，没有取']);
  expect(asked).toEqual([]);
  await other.close();
});

test('an import without fetching keeps the addresses; an undo removes the list of pictures', async () => {
  const kept = await importBlog(
    t,
    admin,
    { seven: toPost('留着', `![图](${base}/a.png)`) },
    writer.user.id,
    '&fetchPictures=0',
  );
  expect(kept.pictures.total).toBe(0);
  expect((await readEssay(t, '留着')).content).toContain(`![图](${base}/a.png)`);

  const run = await importBlog(t, admin, { eight: toPost('要撤销', `![图](${base}/f.png)`) }, writer.user.id);
  await waitForPictures(run.id);
  await waitForText('要撤销', '/files/');
  await t.call('POST core/sys/transfer/undo', { id: run.id }, { token: admin });
  const undone = await waitForTransfer(t, admin, run.id);
  expect(undone).toMatchObject({ status: 'undone', pictures: { total: 0, done: 0, failed: 0 } });
  expect(await readEssay(t, '要撤销')).toBeUndefined();
  expect(await listPictures(run.id)).toEqual([]);
  const retried = await t.call('POST core/sys/transfer/picture/retry', { id: run.id }, { token: admin });
  expect([retried.errorCode, retried.errorMessage]).toEqual(['TRANSFER_REFUSED', '只有结束了的导入可以重取']);
});

test('needs the permissions of imports', async () => {
  const { data } = await t.call('GET core/sys/transfer/', {}, { token: admin });
  const id = data.list[0]?.id ?? '';
  const auditor = await createStaff(t, ['essay:audit']);
  const viewer = await createStaff(t, ['transfer:list']);
  for (const token of [undefined, writer.token, auditor.token]) {
    const code = token === undefined ? 'SIGN_IN_REQUIRED' : 'FORBIDDEN';
    expect((await t.call('GET core/sys/transfer/picture', { id }, { token })).errorCode).toBe(code);
    expect((await t.call('POST core/sys/transfer/picture/retry', { id }, { token })).errorCode).toBe(code);
  }
  expect((await t.call('GET core/sys/transfer/picture', { id }, viewer)).success).toBe(true);
  expect((await t.call('POST core/sys/transfer/picture/retry', { id }, viewer)).errorCode).toBe('FORBIDDEN');
  const unknown = '0'.repeat(32);
  expect((await t.call('GET core/sys/transfer/picture', { id: unknown }, { token: admin })).status).toBe(404);
  expect(
    (await t.call('POST core/sys/transfer/picture/retry', { id: unknown }, { token: admin })).status,
  ).toBe(404);
  expect((await t.call('GET core/sys/transfer/picture', { id, status: 'x' }, { token: admin })).status).toBe(
    422,
  );
});
