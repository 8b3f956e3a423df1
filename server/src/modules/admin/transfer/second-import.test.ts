import { Readable } from 'node:stream';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';
import { resumeTransfers, runTransfer } from './actions/run-transfer.ts';

let t: TestApp;
let admin: string;
let png: Uint8Array;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
  png = new Uint8Array(await createPng({ width: 60 }));
});
afterAll(() => t.close());

interface StoredEssay {
  id: string;
  title: string;
  content: string;
  html: string | null;
  status: number;
  version: number;
  tags: string[];
  cover: string;
  author_pin: number | null;
  published_at: Date;
  updated_at: Date;
}

const listEssays = (authorId: string) =>
  t.query<StoredEssay>(
    `select replace(essays.id::text, '-', '') as id, essays.title, content, html, status, essays.version, tags, cover,
       author_pin, published_at, essays.updated_at
     from essays join essay_revisions on essay_id = essays.id and essay_revisions.version = essays.version
     left join essay_texts on essay_texts.essay_id = essays.id and essay_texts.version = essays.version
     where author_id = $1 and deleted_at is null order by essays.title`,
    [authorId],
  );

async function bring(content: Uint8Array, authorId: string) {
  const run = await importFile(t, admin, { name: 'site.zip', content }, `?authorId=${authorId}`);
  expect(run).toMatchObject({ status: 'done', message: '' });
  const items = await listItems(t, admin, run.id);
  const essays = await listEssays(authorId);
  return {
    id: run.id,
    essay: (title: string) => essays.find((each) => each.title === title),
    resultOf: (title: string) =>
      items.filter((item) => item.title === title).map(({ outcome, note }) => [outcome, note]),
  };
}

async function undo(id: string) {
  await t.call('POST core/sys/transfer/undo', { id }, { token: admin });
  expect(await waitForTransfer(t, admin, id)).toMatchObject({ status: 'undone' });
  return (await listItems(t, admin, id))
    .filter(({ kind, outcome }) => kind !== 'file' && kind !== 'redirect' && outcome !== 'skipped')
    .map(({ title, outcome, note }) => [title, outcome, note]);
}

const post = (head: string, text: string) =>
  strToU8(`---\ndate: 2020-01-02 03:04:05\nupdated: 2020-02-02\n${head}\n---\n\n${text}`);
const blog = (host: string, files: Record<string, Uint8Array>) =>
  zipSync({
    '_config.yml': strToU8(`url: https://${host}\npermalink: :title/\n`),
    'source/a.png': png,
    ...files,
  });
const names = (host: string) => ({ one: `${host}-one`, two: `${host}-two`, page: `${host}-page` });

const first = (host: string) => {
  const { one, two, page } = names(host);
  return blog(`${host}.test`, {
    [`source/_posts/${one}.md`]: post('title: 甲\ntop: 1\ntags: [旧标签]', '旧的正文。'),
    [`source/_posts/${two}.md`]: post('title: 乙', '不变。'),
    [`source/${page}/index.md`]: post('title: 页', '旧的页面。'),
  });
};
const second = (host: string, head = 'tags: [新标签]\ncover: /a.png') => {
  const { one, two, page } = names(host);
  return blog(`${host}.test`, {
    [`source/_posts/${one}.md`]: post(
      `title: 甲改\ntop: 1\nupdated: 2021-03-04\n${head}`,
      `新的正文，见[乙](/${two}/)。![图](/a.png)`,
    ),
    [`source/_posts/${two}.md`]: post('title: 乙', '不变。'),
    [`source/${page}/index.md`]: post('title: 页改', `新的页面，见[甲](/${one}/)。`),
  });
};

const findPage = async (slug: string) =>
  (
    await t.query<{ title: string; content: string; published: boolean; edited: boolean }>(
      'select title, content, published, version <> imported_version as edited from pages where slug = $1',
      [slug],
    )
  )[0];

const countTag = async (name: string) =>
  (await t.query<{ essay_count: number }>('select essay_count from tags where name = $1', [name]))[0]
    ?.essay_count;

test('updates what was changed at its source, and keeps address, dates, status and pins', async () => {
  const { user } = await createWriter(t);
  const before = await bring(first('update'), user.id);
  const old = before.essay('甲');
  const after = await bring(second('update'), user.id);
  expect(after.resultOf('甲改')).toEqual([['updated', '']]);
  expect(after.resultOf('乙')).toEqual([['skipped', '已存在']]);
  expect(after.resultOf('页改')).toEqual([['updated', '']]);
  const essay = after.essay('甲改');
  expect(essay).toMatchObject({
    id: old?.id,
    version: 1,
    status: 3,
    author_pin: 1,
    tags: ['新标签'],
    published_at: old?.published_at,
    updated_at: new Date('2021-03-03T16:00:00Z'),
  });
  expect(essay?.content).toMatch(
    /^新的正文，见\[乙\]\(\/essay\/detail\/update-two\.html\)。!\[图\]\(\/files\/\S+\)$/,
  );
  expect(essay?.html).toContain('新的正文');
  expect(essay?.cover).toMatch(/^\/files\//);
  expect([await countTag('旧标签'), await countTag('新标签')]).toEqual([undefined, 1]);
  expect(await findPage('update-page')).toEqual({
    title: '页改',
    content: '新的页面，见[甲](/essay/detail/update-one.html)。',
    published: true,
    edited: false,
  });
  // The third import of the same source changes nothing.
  const third = await bring(second('update'), user.id);
  expect(third.resultOf('甲改')).toEqual([['skipped', '已存在']]);

  expect(await undo(third.id)).toEqual([]);
  expect(await undo(after.id)).toEqual(
    expect.arrayContaining([
      ['甲改', 'removed', ''],
      ['页改', 'removed', ''],
    ]),
  );
  const restored = (await listEssays(user.id)).find(({ title }) => title === '甲');
  expect(restored).toEqual({ ...old, html: expect.stringContaining('旧的正文') });
  expect(await findPage('update-page')).toMatchObject({ title: '页', content: '旧的页面。', edited: false });
  expect([await countTag('旧标签'), await countTag('新标签')]).toEqual([1, undefined]);
  await undo(before.id);
  expect(await listEssays(user.id)).toEqual([]);
  expect(await findPage('update-page')).toBeUndefined();
});

test('the first import can be undone before the second', async () => {
  const { user } = await createWriter(t);
  const before = await bring(first('order'), user.id);
  const after = await bring(second('order'), user.id);
  expect(await undo(before.id)).toEqual(
    expect.arrayContaining([
      ['甲', 'removed', ''],
      ['乙', 'removed', ''],
      ['页', 'removed', ''],
    ]),
  );
  expect(await listEssays(user.id)).toEqual([]);
  expect(await undo(after.id)).toEqual(expect.arrayContaining([['甲改', 'removed', '']]));
  expect(await t.query('select 1 from imported_sources where essay_id is null and page_id is null')).toEqual(
    [],
  );
});

test('an update that a later one replaced is not restored', async () => {
  const { user } = await createWriter(t);
  await bring(first('later'), user.id);
  const after = await bring(second('later'), user.id);
  await bring(second('later', 'tags: [最新]'), user.id);
  const result = await undo(after.id);
  expect(result).toEqual(expect.arrayContaining([['甲改', 'kept', '之后的导入又更新过，请先撤销那一次']]));
  expect((await listEssays(user.id)).find(({ title }) => title === '甲改')?.tags).toEqual(['最新']);
});

test('what was edited here is skipped and reported, and an undo leaves later edits', async () => {
  const { user, token } = await createWriter(t);
  const before = await bring(first('edited'), user.id);
  const id = before.essay('甲')?.id ?? '';
  await t.call('PUT core/essay/', { id, version: 1, content: '我改的。' }, { token });
  await t.query("update pages set version = version + 1 where slug = 'edited-page'");
  const after = await bring(second('edited'), user.id);
  const note = '已存在；原文有改动，但本站之后也改过，保留本站的';
  expect(after.resultOf('甲改')).toEqual([['skipped', note]]);
  expect(after.resultOf('页改')).toEqual([['skipped', note]]);

  const other = await createWriter(t);
  const start = await bring(first('undone'), other.user.id);
  const updated = await bring(second('undone'), other.user.id);
  const change = { id: start.essay('甲')?.id ?? '', version: 1, content: '更新之后又改。' };
  expect((await t.call('PUT core/essay/', change, { token: other.token })).success).toBe(true);
  expect(await undo(updated.id)).toEqual(
    expect.arrayContaining([['甲改', 'kept', '之后有人改过，没有还原']]),
  );
  expect((await listEssays(other.user.id)).map(({ content }) => content)).toContain('更新之后又改。');
});

test('an essay whose original is not public any more leaves the shelf, and returns by an undo', async () => {
  const { user } = await createWriter(t);
  const before = await bring(first('private'), user.id);
  const old = before.essay('甲');
  const after = await bring(second('private', 'password: x'), user.id);
  expect(after.resultOf('甲改')).toEqual([['updated', '原文有密码，作为草稿导入；原文不再公开，已下架']]);
  expect(after.essay('甲改')).toMatchObject({ status: 4 });
  await undo(after.id);
  const restored = (await listEssays(user.id)).find(({ title }) => title === '甲');
  expect(restored).toEqual({ ...old, html: expect.stringContaining('旧的正文') });
  expect(await countTag('旧标签')).toBeGreaterThan(0);
});

test('a draft here stays a draft', async () => {
  const { user } = await createWriter(t);
  const name = 'source/_posts/draft-one.md';
  await bring(blog('draft.test', { [name]: post('title: 稿\npublished: false', '一') }), user.id);
  const after = await bring(blog('draft.test', { [name]: post('title: 稿', '二') }), user.id);
  expect(after.essay('稿')).toMatchObject({ status: 0, content: '二' });
});

test('an invalid text leaves the essay as it is, and the reason is reported', async () => {
  const { user } = await createWriter(t);
  const name = 'source/_posts/long-one.md';
  await bring(blog('long.test', { [name]: post('title: 长', '一') }), user.id);
  const text = '字'.repeat(200_001);
  const after = await bring(blog('long.test', { [name]: post('title: 长', text) }), user.id);
  expect(after.resultOf('长')).toEqual([
    ['skipped', expect.stringMatching(/^已存在；原文有改动，没有更新：/)],
  ]);
  expect(after.essay('长')).toMatchObject({ content: '一', status: 3 });
});

test('a second import that is killed in the middle goes on and updates nothing twice', async () => {
  const { user } = await createWriter(t);
  const files = (text: string) =>
    blog(
      'killed.test',
      Object.fromEntries(
        [1, 2, 3, 4].map((n) => [
          `source/_posts/killed-${n}.md`,
          post(
            `title: 第 ${n} 篇`,
            `${text} ${n}，见[前](/killed-${n === 1 ? 4 : n - 1}/)和[后](/killed-${(n % 4) + 1}/)`,
          ),
        ]),
      ),
    );
  const before = await bring(files('旧'), user.id);
  // Stops as a killed process does, after the second essay was updated.
  const { services } = systemCtx(t.app.services);
  const isHalf = async () =>
    (await t.query("select 1 from transfer_items where outcome = 'updated' and title like '第 % 篇'"))
      .length >= 2;
  let stopped = false;
  const timer = setInterval(() => void isHalf().then((half) => (stopped ||= half)), 5);
  const created = await createRun(files('新'), user.id);
  const clock = () => {
    if (stopped) throw new Error('killed');
    return services.clock();
  };
  const log = { ...services.log, error: () => {} } as Ctx['services']['log'];
  const ctx = systemCtx({ ...services, clock, log });
  await runTransfer(ctx, created).catch(() => {});
  clearInterval(timer);
  const old = new Date(services.clock().getTime() - 3 * 60_000);
  await t.query("update transfers set status = 'running', runner = $2, alive_at = $3 where id = $1", [
    created,
    newId(),
    old,
  ]);
  await resumeTransfers(systemCtx(services));
  await waitForTransfer(t, admin, created, (run) => run.fileBytes === null);
  const essays = await listEssays(user.id);
  expect(essays.map(({ content }) => content)).toEqual(
    [1, 2, 3, 4].map(
      (n) =>
        `新 ${n}，见[前](/essay/detail/killed-${n === 1 ? 4 : n - 1}.html)和[后](/essay/detail/killed-${(n % 4) + 1}.html)`,
    ),
  );
  const items = await listItems(t, admin, created);
  expect(items.filter(({ outcome }) => outcome === 'updated')).toHaveLength(4);
  await undo(created);
  expect((await listEssays(user.id)).map(({ content }) => content.slice(0, 3))).toEqual(
    [1, 2, 3, 4].map((n) => `旧 ${n}`),
  );
  await undo(before.id);
  expect(await listEssays(user.id)).toEqual([]);
});

/** A run that no job starts. */
async function createRun(content: Uint8Array, authorId: string): Promise<string> {
  const { files } = t.app.services;
  const file = await files.receive('site.zip', Readable.from([Buffer.from(content)]));
  const filePath = await files.storePrivate(file);
  const [row] = await t.query<{ id: string }>(
    `insert into transfers (id, kind, scope, format, status, author_id, user_id, file_path, file_name, file_bytes, created_at)
     select gen_random_uuid(), 'import', 'site', 'auto', 'waiting', $1, $1, $2, 'site.zip', $3, $4
     returning replace(id::text, '-', '') as id`,
    [authorId, filePath, content.length, t.app.services.clock()],
  );
  return row?.id ?? '';
}
