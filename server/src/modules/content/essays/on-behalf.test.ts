import { FLAG } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, essayFields, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';
import { uploadFile } from '../../../testing/uploads.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
let editor: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t, '林妍');
  stranger = await createWriter(t, '路过的人');
  editor = await createStaff(t, [
    'essay:list',
    'essay:edit',
    'column:list',
    'column:create',
    'column:update',
  ]);
});
afterAll(() => t.close());

const sourceOf = (id: string, { token }: TestUser) => t.call('GET core/essay/{id}/source', { id }, { token });
const save = (fields: object, { token }: TestUser) =>
  t.call('PUT core/essay/', fields as { id: string; version: number }, { token });
const versionsOf = async (id: string, { token }: TestUser) => {
  const { data } = await t.call('GET core/essay/{id}/revision', { id }, { token });
  return 'list' in data ? data.list : [];
};
const noticesOf = async ({ token }: TestUser) =>
  (await t.call('GET core/user/notice', { kind: 'audit' }, { token })).data.list.map(({ text }) => text);
const operationsOf = async (id: string) => {
  const { rows } = await t.app.services.pool.query<{ call: string }>(
    'select call from operations where target = $1 order by id',
    [`essay:${id}`],
  );
  return rows.map(({ call }) => call);
};
const setStatus = (id: string, status: number, { token }: TestUser, more: object = {}) =>
  t.call('PUT core/essay/status', { id, status, ...more }, { token });
const writeFor = (fields: object, who = editor) =>
  t.call('POST core/essay/', { authorId: author.user.id, ...fields }, { token: who.token });

test('staff write, submit and take back an essay of an author, who is told each time', async () => {
  const created = await writeFor(await essayFields(t, { title: '代写的一篇' }));
  const { id, version } = created.data;
  expect((await sourceOf(id, editor)).data).toMatchObject({ author: { displayName: '林妍' }, version: 1 });
  const saved = await save({ id, version, title: '代写的一篇（改）' }, editor);
  expect(saved.data.version).toBe(2);
  expect((await versionsOf(id, author)).map((each) => each.editor?.id)).toEqual([
    editor.user.id,
    editor.user.id,
  ]);
  expect((await setStatus(id, 1, editor)).data.status).toBe(1);
  expect((await setStatus(id, 0, editor)).data.status).toBe(0);
  expect((await setStatus(id, 1, editor)).data.status).toBe(1);
  expect(await noticesOf(author)).toEqual([
    '《代写的一篇（改）》由编辑代为提交，正在等待审核',
    '《代写的一篇（改）》由编辑取回修改',
    '《代写的一篇（改）》由编辑代为提交，正在等待审核',
    `编辑「${editor.user.displayName}」代你写了《代写的一篇》，历史版本里可以看到改动`,
  ]);
  const status = 'PUT core/essay/status';
  expect(await operationsOf(id)).toEqual(['POST core/essay/', 'PUT core/essay/', status, status, status]);
  // An audit is needed as for any other text, and editing is no right to audit or to publish.
  expect((await setStatus(id, 2, editor)).status).toBe(403);
  await callAsAdmin(t, 'PUT core/essay/status', { id, status: 2 });
  expect((await setStatus(id, 3, editor)).status).toBe(403);
  expect((await setStatus(id, 3, author)).data.status).toBe(3);
  const { data } = await t.call('GET core/essay/{id}', { id });
  expect(data).toMatchObject({ author: { id: author.user.id }, title: '代写的一篇（改）' });
  const own = await t.call('GET core/essay/', { mine: FLAG.on }, { token: author.token });
  expect(own.data.list.map((each) => each.id)).toContain(id);
});

test('autosaves of author and staff never replace each other, and a stale one is refused', async () => {
  const first = await t.call('POST core/essay/', { title: '合写', content: '起点' }, { token: author.token });
  const { id } = first.data;
  const auto = FLAG.on;
  expect((await save({ id, version: 1, content: '作者一', auto }, author)).data.version).toBe(2);
  expect((await save({ id, version: 2, content: '作者二', auto }, author)).data.version).toBe(3);
  expect(await save({ id, version: 2, content: '编辑的旧稿', auto }, editor)).toMatchObject({
    errorCode: 'STALE_VERSION',
  });
  expect((await save({ id, version: 3, content: '编辑一', auto }, editor)).data.version).toBe(4);
  expect((await save({ id, version: 4, content: '编辑二', auto }, editor)).data.version).toBe(5);
  expect((await save({ id, version: 5, content: '作者三', auto }, author)).data.version).toBe(6);
  const versions = await versionsOf(id, author);
  expect(versions.map(({ revision, editor }) => [revision, editor?.id ?? null])).toEqual([
    [6, null],
    [5, editor.user.id],
    [3, null],
    [1, null],
  ]);
  const contentOf = async (revision: number) => {
    const { data } = await t.call('GET core/essay/{id}/revision', { id, revision }, { token: author.token });
    return 'content' in data ? data.content : '';
  };
  expect([await contentOf(3), await contentOf(5)]).toEqual(['作者二', '编辑二']);
  // One entry and one notice for the run of autosaves.
  expect(await operationsOf(id)).toEqual(['PUT core/essay/']);
  expect((await noticesOf(author))[0]).toBe(
    `编辑「${editor.user.displayName}」修改了你的文章《合写》，历史版本里可以看到改动`,
  );
  const restored = await t.call(
    'POST core/essay/{id}/revision/restore',
    { id, revision: 3 },
    { token: editor.token },
  );
  expect(restored.data.version).toBe(7);
  expect((await sourceOf(id, author)).data.content).toBe('作者二');
  expect((await operationsOf(id)).at(-1)).toBe('POST core/essay/{id}/revision/restore');
});

test('only one of two saves at the same time wins, and the text of the other is not lost silently', async () => {
  const { id } = (await t.call('POST core/essay/', { title: '抢写' }, { token: author.token })).data;
  const answers = await Promise.all([
    save({ id, version: 1, content: '作者的' }, author),
    save({ id, version: 1, content: '编辑的' }, editor),
  ]);
  expect(answers.map(({ errorCode }) => errorCode ?? 'saved').sort()).toEqual(['STALE_VERSION', 'saved']);
});

test('a revision of an essay on the shelf by staff waits for its audit', async () => {
  const id = await publishEssay(t, author, { title: '上架的', content: '原来的正文' });
  expect((await save({ id, version: 1, content: '编辑改的正文' }, editor)).success).toBe(true);
  expect((await setStatus(id, 1, editor, { revision: true })).data.revision).toBe(1);
  expect((await t.call('GET core/essay/{id}', { id })).data.html).toContain('原来的正文');
  await callAsAdmin(t, 'PUT core/essay/status', { id, status: 3, revision: true });
  expect((await t.call('GET core/essay/{id}', { id })).data.html).toContain('编辑改的正文');
  const slug = await save({ id, version: 2, slug: 'bianji-gai-de' }, editor);
  expect(slug.success).toBe(true);
  expect((await operationsOf(id)).filter((call) => call === 'PUT core/essay/')).toHaveLength(2);
});

test('an address that staff change with an autosave is in the operation log', async () => {
  const { id } = (await t.call('POST core/essay/', { title: '换网址' }, { token: author.token })).data;
  await save({ id, version: 1, content: '一', auto: 1 }, editor);
  await save({ id, version: 2, content: '二', auto: 1, slug: 'huan-wang-zhi' }, editor);
  const { rows } = await t.app.services.pool.query(
    `select before->'slug' as before, after->>'slug' as after from operations
      where target = $1 and after ? 'slug'`,
    [`essay:${id}`],
  );
  expect(rows).toEqual([{ before: null, after: 'huan-wang-zhi' }]);
});

test('staff use their own files in an essay of an author, and columns of that author only', async () => {
  const file = { name: '资料.pdf', content: Buffer.from('%PDF-1.7 words') };
  const attached = await uploadFile(t, 'core/minio/upload?kind=attachment', file, editor.token);
  const column = await t.call('POST core/essay/column', { name: '作者的' }, { token: author.token });
  const other = await t.call('POST core/essay/column', { name: '别人的' }, { token: stranger.token });
  const fields = { title: '带附件', attachments: [attached.data.id], columnId: column.data.id };
  const { id, version } = (await writeFor(fields)).data;
  const saved = await save({ id, version, content: '作者接着写' }, author);
  expect(saved.success).toBe(true);
  expect((await sourceOf(id, author)).data).toMatchObject({ ...fields, content: '作者接着写' });
  expect((await save({ id, version: 2, columnId: other.data.id }, editor)).fields?.columnId).toBe(
    '没有这个专栏',
  );
});

test('refuses writing for others without the permission, and for those who are not writers', async () => {
  const { id } = (await t.call('POST core/essay/', { title: '作者自己的' }, { token: author.token })).data;
  const lister = await createStaff(t, ['essay:list', 'essay:update']);
  const reader = await t.register();
  expect((await t.call('POST core/essay/', { authorId: author.user.id, title: '匿名' })).status).toBe(401);
  for (const who of [stranger, lister, reader]) {
    expect((await writeFor({ title: '冒名' }, who)).status).toBe(403);
    expect((await sourceOf(id, who)).success).toBe(false);
    expect((await save({ id, version: 1, content: '乱改' }, who)).success).toBe(false);
    expect((await setStatus(id, 1, who)).success).toBe(false);
    expect((await t.call('GET core/essay/{id}/revision', { id }, { token: who.token })).success).toBe(false);
  }
  for (const authorId of [reader.user.id, 'a'.repeat(32)])
    expect((await writeFor({ authorId })).fields?.authorId).toBe('没有这位作者，或账号已停用');
  // Staff who are not writers cannot write in their own name.
  expect((await t.call('POST core/essay/', { title: '自己的' }, { token: editor.token })).status).toBe(403);
  expect((await sourceOf(id, author)).data.version).toBe(1);
});

test('staff create and change columns of an author, who is told', async () => {
  const create = (input: object, { token }: TestUser) =>
    t.call('POST core/sys/column/', { name: '代建', authorId: author.user.id, ...input }, { token });
  const { data: column } = await create({ price: 500 }, editor);
  expect(column).toMatchObject({ author: { id: author.user.id }, price: 500 });
  expect((await noticesOf(author))[0]).toBe('编辑代你新建了专栏《代建》');
  const changed = await t.call(
    'PUT core/sys/column/',
    { id: column.id, name: '代建（改）', price: 900 },
    { token: editor.token },
  );
  expect(changed.data).toMatchObject({ name: '代建（改）', price: 900 });
  expect((await noticesOf(author))[0]).toBe('编辑修改了你的专栏《代建（改）》');
  expect((await create({}, stranger)).status).toBe(403);
  expect((await create({ authorId: (await t.register()).user.id }, editor)).fields?.authorId).toBeDefined();
  expect((await create({ cover: '/files/ab/none.webp' }, editor)).fields?.cover).toBeDefined();
});
