import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { removeUsers } from '../../accounts/users/index.ts';
import { purgeCollections, removeEssaysOf } from './index.ts';

let t: TestApp;
let writer: TestUser;
/** Essays of the writer, shared by all tests. */
let essays: string[];
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
  essays = [];
  for (const title of ['长风', 'PostgreSQL 的锁', '慢慢写', '短句']) {
    essays.push(await publishEssay(t, writer, { title }));
  }
});
afterAll(() => t.close());

const essay = (at: number): string => essays[at] ?? '';
const collect = (essayId: string, token?: string, folderId?: string) =>
  t.call('POST core/essay/collect', { essayId, ...(folderId === undefined ? {} : { folderId }) }, { token });
const uncollect = (essayId: string, token?: string) =>
  t.call('DELETE core/essay/collect', { essayId }, { token });
const move = (essayIds: string[], folderId: string, token?: string) =>
  t.call('PUT core/essay/collect', { essayIds, folderId }, { token });
const folders = async (input: object, token?: string) =>
  (await t.call('GET core/user/folder', input, { token })).data;
const addFolder = async (token: string, name: string, isPublic?: boolean) =>
  (await t.call('POST core/user/folder', { name, isPublic }, { token })).data;
const removeFolder = (id: string, token?: string) => t.call('DELETE core/user/folder', { id }, { token });
const collected = async (input: object, token?: string) =>
  (await t.call('GET core/user/profile/collect', input, { token })).data;
const titles = async (input: object, token?: string) => {
  const { list, total } = await collected(input, token);
  expect(total).toBe(list.length);
  return list.map(({ title }) => title);
};
const trends = async (userId: string, token?: string) =>
  (await t.call('GET core/user/trend', { userId, type: 6 }, { token })).data.list.length;
const notices = async (token: string) =>
  (await t.call('GET core/user/notice', { kind: 'collect' }, { token })).data.list;

/** Checks that counters equal row counts, every user has one default folder, and folders contain only own collections. */
async function expectCorrectCounters(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select 'folder' as what, id from folders
    where essay_count <> (select count(*) from collections where folder_id = folders.id)
    union all
    select 'default', user_id from folders group by user_id having count(*) filter (where is_default) <> 1
    union all
    select 'place', collections.user_id from collections join folders on folders.id = folder_id
    where folders.user_id <> collections.user_id
    union all
    select 'essay', id from essays
    where collect_count <> (select count(*) from collections where essay_id = essays.id)
      or collect_count <> (select coalesce(sum(collects), 0) from essay_days where essay_id = essays.id)
    union all
    select 'trend', trends.user_id from trends where type = 6 and 1 <> (
      select count(*) from collections join folders on folders.id = folder_id and is_public
      where collections.user_id = trends.user_id and essay_id = target_id)`);
  expect(rows).toEqual([]);
}

test('collecting, moving and removing are idempotent', async () => {
  const { token } = await t.register();
  const mine = async () => (await t.call('GET core/essay/{id}', { id: essay(0) }, { token })).data.mine;
  const first = (await collect(essay(0), token)).data;
  expect(first).toMatchObject({ collected: true, collectCount: 1 });
  expect((await collect(essay(0), token)).data).toEqual(first);
  expect(await mine()).toMatchObject({ collected: true, folderId: first.folderId });
  const other = await addFolder(token, '待读');
  expect(other).toMatchObject({ name: '待读', isPublic: false, isDefault: false, essayCount: 0 });
  expect((await collect(essay(0), token, other.id)).data).toEqual({ ...first, folderId: other.id });
  expect((await collect(essay(0), token)).data).toEqual({ ...first, folderId: other.id });
  expect(await folders({}, token)).toMatchObject([
    { name: '默认收藏夹', isDefault: true, isPublic: true, essayCount: 0 },
    { name: '待读', essayCount: 1 },
  ]);
  const none = { collected: false, collectCount: 0, folderId: null };
  expect((await uncollect(essay(0), token)).data).toEqual(none);
  expect((await uncollect(essay(0), token)).data).toEqual(none);
  expect(await mine()).toMatchObject({ collected: false, folderId: null });
  await expectCorrectCounters();
});

test('rejects visitors, missing essays and folders of other users', async () => {
  const [{ token }, stranger] = [await t.register(), await t.register()];
  const theirs = await addFolder(stranger.token, '别人的', true);
  const draft = await submitEssay(t, writer);
  const gone = await publishEssay(t, writer);
  await collect(gone, token);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: writer.token });
  for (const call of [collect, uncollect]) {
    expect((await call(essay(0))).status).toBe(401);
    expect((await call('x', token)).status).toBe(422);
    expect((await call(newId(), token)).status).toBe(404);
    expect((await call(draft, token)).status).toBe(404);
    expect((await call(draft, writer.token)).status).toBe(404);
  }
  expect((await collect(gone, stranger.token)).status).toBe(410);
  expect((await uncollect(gone, token)).data).toMatchObject({ collected: false, collectCount: 0 });
  for (const folderId of [theirs.id, newId(), 'x']) {
    expect(await collect(essay(0), token, folderId)).toMatchObject({
      status: 422,
      fields: { folderId: expect.any(String) },
    });
    expect((await move([essay(0)], folderId, token)).status).toBe(422);
  }
  expect((await move([essay(0)], theirs.id)).status).toBe(401);
  expect((await move([], theirs.id, stranger.token)).status).toBe(422);
  expect((await move([essay(0)], theirs.id, stranger.token)).success).toBe(true);
  expect((await removeFolder(theirs.id, token)).status).toBe(404);
  const change = { id: theirs.id, name: '我的' };
  expect((await t.call('PUT core/user/folder', change, { token })).status).toBe(404);
  expect((await t.call('GET core/user/folder')).status).toBe(401);
  expect((await t.call('GET core/user/profile/collect')).status).toBe(401);
  expect((await t.call('GET core/user/folder', { userId: newId() })).status).toBe(404);
  expect((await t.call('GET core/user/profile/collect', { userId: newId() })).status).toBe(404);
  await expectCorrectCounters();
});

test('omits essays off the shelf from lists and totals, but allows moving and removing them', async () => {
  const { token, user } = await t.register();
  const off = await publishEssay(t, writer);
  await collect(off, token);
  await collect(essay(0), token);
  await t.call('PUT core/essay/status', { id: off, status: 4 }, { token: writer.token });
  expect(await titles({}, token)).toEqual(['长风']);
  expect(await titles({ userId: user.id })).toEqual(['长风']);
  expect((await collect(off, token)).status).toBe(404);
  const other = await addFolder(token, '别处');
  await move([off], other.id, token);
  expect((await folders({ id: other.id }, token))[0]?.essayCount).toBe(1);
  expect(await titles({ folderId: other.id }, token)).toEqual([]);
  expect((await uncollect(off, token)).data.collected).toBe(false);
  await expectCorrectCounters();
});

test('checks names and limits, and moves the essays of a removed folder to the default folder', async () => {
  const { token, user } = await t.register();
  const folder = await addFolder(token, ' 编程 ', true);
  expect(folder.name).toBe('编程');
  const create = (name: string) => t.call('POST core/user/folder', { name }, { token });
  const update = (input: object) => t.call('PUT core/user/folder', input, { token });
  expect((await create('编程')).errorCode).toBe('FOLDER_TAKEN');
  expect((await create('默认收藏夹')).errorCode).toBe('FOLDER_TAKEN');
  for (const name of ['', '一'.repeat(31), '两\n行']) expect((await create(name)).status).toBe(422);
  expect((await update({ id: folder.id, name: '默认收藏夹' })).errorCode).toBe('FOLDER_TAKEN');
  expect((await update({ id: folder.id, name: '编程' })).data.name).toBe('编程');
  expect((await update({ id: folder.id, name: '程序' })).data).toMatchObject({
    name: '程序',
    isPublic: true,
  });
  const [defaultFolder] = await folders({}, token);
  expect((await removeFolder(defaultFolder?.id ?? '', token)).errorCode).toBe('FOLDER_IS_DEFAULT');
  for (const id of essays) await collect(id, token, folder.id);
  expect((await removeFolder(folder.id, token)).success).toBe(true);
  expect((await removeFolder(folder.id, token)).status).toBe(404);
  expect(await folders({}, token)).toMatchObject([{ isDefault: true, essayCount: 4 }]);
  expect(await titles({}, token)).toHaveLength(4);
  await t.app.services.pool.query(
    `insert into folders (id, user_id, name, is_public, is_default, created_at)
     select gen_random_uuid(), $1, 'f' || n, false, false, now() from generate_series(1, 98) as n`,
    [user.id],
  );
  const concurrent = await Promise.all(['甲', '乙', '丙'].map(create));
  expect(concurrent.filter(({ success }) => success)).toHaveLength(1);
  expect(concurrent.find(({ success }) => !success)?.errorCode).toBe('TOO_MANY_FOLDERS');
  await t.app.services.pool.query('update folders set essay_count = 10000 where id = $1', [
    defaultFolder?.id,
  ]);
  const another = await publishEssay(t, writer);
  expect((await collect(another, token)).errorCode).toBe('TOO_MANY_COLLECTED');
  expect((await collect(essay(0), token)).success).toBe(true);
  await t.app.services.pool.query('update folders set essay_count = 4 where id = $1', [defaultFolder?.id]);
  await expectCorrectCounters();
});

test('publishes the contents of a private folder only into an explicit target', async () => {
  const { token, user } = await t.register();
  const others = async () => (await collected({ userId: user.id })).list.map(({ id }) => id);
  const remove = (id: string, moveTo?: string) =>
    t.call('DELETE core/user/folder', { id, moveTo }, { token });
  const [secret, safe] = [await addFolder(token, '私藏'), await addFolder(token, '也私藏')];
  const theirs = await addFolder((await t.register()).token, '别人的');
  await collect(essay(0), token, secret.id);
  expect((await remove(secret.id)).errorCode).toBe('FOLDER_WOULD_PUBLISH');
  for (const moveTo of [secret.id, theirs.id, newId(), 'x'])
    expect(await remove(secret.id, moveTo)).toMatchObject({
      status: 422,
      fields: { moveTo: expect.any(String) },
    });
  expect(await folders({}, token)).toHaveLength(3);
  expect((await remove(secret.id, safe.id)).success).toBe(true);
  expect(await others()).toEqual([]);
  expect(await folders({}, token)).toMatchObject([{ essayCount: 0 }, { id: safe.id, essayCount: 1 }]);
  const [defaultFolder] = await folders({}, token);
  expect((await remove(safe.id, defaultFolder?.id)).success).toBe(true);
  expect(await others()).toEqual([essay(0)]);
  const empty = await addFolder(token, '空的');
  expect((await remove(empty.id)).success).toBe(true);
  await expectCorrectCounters();
});

test('finds collected essays by title and author, in all folders or one, with paging', async () => {
  const { token, user } = await t.register();
  const author = await createWriter(t, '苏禾 Su_He');
  const theirs = await publishEssay(t, author, { title: '一百%' });
  const folder = await addFolder(token, '数据库', true);
  for (const id of [...essays, theirs]) await collect(id, token, id === essay(1) ? folder.id : undefined);
  expect(await titles({}, token)).toEqual(['一百%', '短句', '慢慢写', 'PostgreSQL 的锁', '长风']);
  expect(await titles({ keyword: 'postgresql' }, token)).toEqual(['PostgreSQL 的锁']);
  expect(await titles({ keyword: 'su_he' }, token)).toEqual(['一百%']);
  expect(await titles({ keyword: '%' }, token)).toEqual(['一百%']);
  expect(await titles({ keyword: '_' }, token)).toEqual(['一百%']);
  expect(await titles({ keyword: '林砚', userId: user.id })).toHaveLength(4);
  expect(await titles({ keyword: '没有' }, token)).toEqual([]);
  expect(await titles({ folderId: folder.id }, token)).toEqual(['PostgreSQL 的锁']);
  expect(await titles({ folderId: folder.id, keyword: '长风' }, token)).toEqual([]);
  const page = await collected({ pageSize: 3 }, token);
  expect(page).toMatchObject({
    total: 5,
    list: [{ title: '一百%' }, { title: '短句' }, { title: '慢慢写' }],
  });
  expect(await collected({ pageSize: 3, cursor: page.next }, token)).toMatchObject({
    next: null,
    list: [{ title: 'PostgreSQL 的锁', folderId: folder.id }, { title: '长风' }],
  });
  expect((await t.call('GET core/user/profile/collect', { cursor: 'x' }, { token })).status).toBe(422);
});

test('shows public folders to everyone and private folders to the owner only, in every call', async () => {
  const { token, user } = await t.register();
  const author = await createWriter(t);
  const [open, secret] = [await publishEssay(t, author), await publishEssay(t, author)];
  const shared = await addFolder(token, '公开的', true);
  const hidden = await addFolder(token, '自己的', false);
  await collect(open, token, shared.id);
  await collect(secret, token, hidden.id);
  for (const viewerToken of [undefined, author.token, await t.signInAdmin()]) {
    expect((await folders({ userId: user.id }, viewerToken)).map(({ name }) => name)).toEqual([
      '默认收藏夹',
      '公开的',
    ]);
    expect(await folders({ id: shared.id }, viewerToken)).toMatchObject([
      { name: '公开的', user: { id: user.id } },
    ]);
    expect(await folders({ id: hidden.id }, viewerToken)).toEqual([]);
    expect(await folders({ id: hidden.id, userId: user.id }, viewerToken)).toEqual([]);
    const seen = async (more: object) =>
      (await collected({ userId: user.id, ...more }, viewerToken)).list.map(({ id }) => id);
    expect(await seen({})).toEqual([open]);
    expect(await seen({ folderId: shared.id })).toEqual([open]);
    expect(await seen({ folderId: hidden.id })).toEqual([]);
    expect(await seen({ keyword: author.user.displayName })).toEqual([open]);
    expect((await collected({ userId: user.id }, viewerToken)).total).toBe(1);
    expect(
      (await t.call('GET core/essay/{id}', { id: secret }, { token: viewerToken })).data.mine,
    ).toMatchObject({
      collected: false,
      folderId: null,
    });
    expect(await trends(user.id, viewerToken)).toBe(1);
  }
  expect(await folders({ id: shared.id, userId: author.user.id })).toEqual([]);
  expect(await folders({ id: newId() })).toEqual([]);
  expect(await folders({ id: hidden.id }, token)).toHaveLength(1);
  expect((await collected({}, token)).total).toBe(2);
  // The id of another user's folder returns nothing in a query for one's own collection.
  expect((await collected({ folderId: hidden.id }, author.token)).total).toBe(0);
  expect(await notices(author.token)).toMatchObject([
    { count: 1, verb: '收藏了你的文章', target: { url: `/essay/detail/${open}.html` } },
  ]);
  await expectCorrectCounters();
});

test('removes trends and notices of essays that become private', async () => {
  const { token, user } = await t.register();
  const author = await createWriter(t);
  const ids = [];
  for (let i = 0; i < 4; i++) ids.push(await publishEssay(t, author));
  const [one = '', two = '', three = '', four = ''] = ids;
  const shared = await addFolder(token, '公开的', true);
  const hidden = await addFolder(token, '自己的', false);
  for (const id of [one, two, three]) await collect(id, token, shared.id);
  await collect(four, token);
  expect([await trends(user.id), (await notices(author.token)).length]).toEqual([4, 4]);
  await collect(one, token, hidden.id);
  expect([await trends(user.id), (await notices(author.token)).length]).toEqual([3, 3]);
  await move([two], hidden.id, token);
  expect([await trends(user.id), (await notices(author.token)).length]).toEqual([2, 2]);
  await t.call('PUT core/user/folder', { id: shared.id, isPublic: false }, { token });
  expect([await trends(user.id), (await notices(author.token)).length]).toEqual([1, 1]);
  await uncollect(four, token);
  expect([await trends(user.id), (await notices(author.token)).length]).toEqual([0, 0]);
  const [defaultFolder] = await folders({}, token);
  const public2 = await addFolder(token, '也公开', true);
  await collect(four, token, public2.id);
  await t.call('PUT core/user/folder', { id: defaultFolder?.id ?? '', isPublic: false }, { token });
  expect(await trends(user.id)).toBe(1);
  await removeFolder(public2.id, token);
  expect([await trends(user.id), (await notices(author.token)).length]).toEqual([0, 0]);
  await collect(four, author.token);
  expect(await notices(author.token)).toEqual([]);
  await expectCorrectCounters();
});

test('hides all folders of a user who hides their collection', async () => {
  const { token, user } = await t.register();
  const author = await createWriter(t);
  const essayId = await publishEssay(t, author);
  await t.call('PUT core/user/', { privacy: { collect: false } }, { token });
  const { folderId } = (await collect(essayId, token)).data;
  for (const viewerToken of [undefined, author.token]) {
    expect(await folders({ userId: user.id }, viewerToken)).toEqual([]);
    expect(await folders({ id: folderId }, viewerToken)).toEqual([]);
    expect(await collected({ userId: user.id }, viewerToken)).toMatchObject({ total: 0, list: [] });
    expect(await collected({ userId: user.id, folderId }, viewerToken)).toMatchObject({ total: 0, list: [] });
  }
  expect(await notices(author.token)).toEqual([]);
  expect(await titles({ userId: user.id }, token)).toHaveLength(1);
});

test('keeps one default folder and correct counts under concurrency', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => t.register()));
  await Promise.all(users.flatMap(({ token }) => [0, 1, 2].map((at) => collect(essay(at), token))));
  await expectCorrectCounters();
  const userFolders = await Promise.all(
    users.map(async ({ token }) => ({ token, folder: await addFolder(token, '来去', true) })),
  );
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const { token = '', folder } = userFolders[(i * 3) % 8] ?? {};
      const [essayId, folderId = ''] = [essay((i * 7) % 4), folder?.id];
      const steps = [
        () => collect(essayId, token),
        () => uncollect(essayId, token),
        () => collect(essayId, token, folderId),
        () => move(essays, folderId, token),
        () => t.call('PUT core/user/folder', { id: folderId, isPublic: i % 2 === 0 }, { token }),
      ];
      return steps[(i * 11) % 5]?.();
    }),
  );
  expect(responses.filter((response) => response?.success !== true)).toEqual([]);
  await Promise.all(
    userFolders.flatMap(({ token, folder }) => [
      removeFolder(folder.id, token),
      ...essays.map((id) => collect(id, token)),
      uncollect(essay(0), token),
    ]),
  );
  await expectCorrectCounters();
});

test('keeps counts correct when users are deleted during other changes', async () => {
  const leaving = await createWriter(t);
  const theirs = await publishEssay(t, leaving);
  const users = await Promise.all(Array.from({ length: 6 }, () => t.register()));
  await Promise.all(users.flatMap(({ token }) => [theirs, essay(0)].map((id) => collect(id, token))));
  for (const id of essays) await collect(id, leaving.token);
  await Promise.all([
    inTransaction(systemCtx(t.app.services), async (ctx) => {
      await removeEssaysOf(ctx, [leaving.user.id]);
      await purgeCollections(ctx, [leaving.user.id]);
      await removeUsers(ctx.db, [leaving.user.id]);
    }),
    ...users.flatMap(({ token }) => [collect(essay(1), token), uncollect(essay(0), token)]),
  ]);
  await expectCorrectCounters();
  expect((await folders({}, users[0]?.token))[0]?.essayCount).toBe(1);
});

test('rejects sensitive words in names of folders that are public or become public', async () => {
  const admin = await t.signInAdmin();
  for (const level of ['mask', 'hold', 'refuse'])
    await t.call('POST core/sys/word/', { word: `坏词${level}`, level }, { token: admin });
  const { token } = await t.register();
  const change = (input: object) => t.call('PUT core/user/folder', input, { token });
  const refused = { status: 422, errorCode: 'WORDS_REFUSED', fields: { name: expect.any(String) } };
  for (const level of ['mask', 'hold', 'refuse']) {
    const name = `有坏词${level}的`;
    expect(await t.call('POST core/user/folder', { name, isPublic: true }, { token })).toMatchObject(refused);
    const { id } = await addFolder(token, name);
    expect(await change({ id, isPublic: true })).toMatchObject(refused);
    expect((await change({ id, isPublic: true, name: `好的${level}` })).success).toBe(true);
    expect(await change({ id, name })).toMatchObject(refused);
    expect((await change({ id, name, isPublic: false })).success).toBe(true);
  }
});
