import type { Page } from '@mozhan/contract/common.ts';
import type { RevisionSummary } from '@mozhan/contract/revisions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, type TestUser } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
});
afterAll(() => t.close());

const create = async (content = '一') =>
  (await t.call('POST core/essay/', { title: '有名字的版本', content }, { token: author.token })).data.id;
const autosave = async (id: string, version: number, content: string) =>
  (await t.call('PUT core/essay/', { id, version, content, auto: 1 }, { token: author.token })).data.version;
const name = (id: string, revision: number, text: string, token: string | undefined = author.token) =>
  t.call('PUT core/essay/{id}/revision/name', { id, revision, name: text }, { token });
const versions = async (id: string, more: object = {}) => {
  const { data } = await t.call('GET core/essay/{id}/revision', { id, ...more }, { token: author.token });
  return (data as Page<RevisionSummary>).list;
};

test('gives, changes and removes names, and lists the named versions', async () => {
  const id = await create();
  await t.call('PUT core/essay/', { id, version: 1, content: '二' }, { token: author.token });
  expect((await name(id, 1, ' 第一稿 ')).data).toMatchObject({ revision: 1, name: '第一稿' });
  expect((await versions(id)).map((each) => each.name)).toEqual([null, '第一稿']);
  expect((await versions(id, { named: 1 })).map(({ revision }) => revision)).toEqual([1]);
  expect((await name(id, 1, '初稿')).data.name).toBe('初稿');
  expect((await name(id, 1, '')).data.name).toBeNull();
  expect(await versions(id, { named: 1 })).toEqual([]);
});

test('counts the autosaves that were merged, and never merges a named version', async () => {
  const id = await create();
  let version = await autosave(id, 1, '一二');
  version = await autosave(id, version, '一二三');
  version = await autosave(id, version, '一二三四');
  expect((await versions(id)).map(({ revision, merged }) => [revision, merged])).toEqual([
    [4, 2],
    [1, 0],
  ]);
  await name(id, version, '写到四');
  version = await autosave(id, version, '一二三四五');
  expect((await versions(id)).map((each) => [each.revision, each.name])).toEqual([
    [5, null],
    [4, '写到四'],
    [1, null],
  ]);
});

test('refuses strangers, visitors, missing versions and bad names', async () => {
  const id = await create();
  const stranger = await createWriter(t, '别人');
  expect((await t.call('PUT core/essay/{id}/revision/name', { id, revision: 1, name: '一' })).status).toBe(
    401,
  );
  expect((await name(id, 1, '一', stranger.token)).status).toBe(404);
  expect((await name(id, 1, '一', (await createStaff(t, ['essay:list'])).token)).status).toBe(403);
  expect((await name(id, 9, '一')).status).toBe(404);
  expect((await name(id, 1, '一'.repeat(41))).status).toBe(422);
  expect((await name(id, 1, '一\n二')).status).toBe(422);
  expect((await versions(id))[0]?.name).toBeNull();
});

test('staff who name a version for an author are in the operation log', async () => {
  const id = await create();
  const editor = await createStaff(t, ['essay:edit']);
  expect((await name(id, 1, '编辑看过', editor.token)).data.name).toBe('编辑看过');
  const { rows } = await t.app.services.pool.query<{ summary: string }>(
    'select summary from operations where user_id = $1',
    [editor.user.id],
  );
  expect(rows).toEqual([{ summary: '代作者给版本起名' }]);
});
