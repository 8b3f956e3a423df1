import type { EssayFields } from '@mozhan/contract/essays.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  createWriter,
  essayFields,
  publishEssay,
  submitEssay,
  type TestUser,
} from '../../../testing/essays.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { checkCounters } from '../../admin/system/index.ts';
import { retagEssays } from './actions/tags.ts';
import { listStaffTags } from './queries/tags.ts';

let t: TestApp;
let author: TestUser;
let staff: string;
let auditor: string;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  staff = (await createStaff(t, ['tag:list', 'tag:update', 'tag:remove'])).token;
  auditor = (await createStaffWithRole(t, 'auditor')).token;
});
afterAll(() => t.close());

const list = async (query: object = {}) =>
  (await t.call('GET core/sys/tag/', { pageSize: 100, ...query }, { token: staff })).data;
const tag = async (name: string) => (await list({ keyword: name })).list.find((each) => each.name === name);
const rename = (name: string, to: string) => t.call('PUT core/sys/tag/', { name, to }, { token: staff });
const merge = (from: string[], to: string) =>
  t.call('POST core/sys/tag/merge', { from, to }, { token: staff });
const remove = (name: string) => t.call('DELETE core/sys/tag/', { name }, { token: staff });
const publish = (fields: Partial<EssayFields>) => publishEssay(t, author, fields);
const source = async (id: string) =>
  (await t.call('GET core/essay/{id}/source', { id }, { token: author.token })).data;
const listByTag = async (name: string) => (await t.call('GET core/essay/', { tag: name })).data;
const found = async (keyword: string) =>
  (await t.call('GET core/essay/', { keyword })).data.list.map(({ id }) => id);

/** Runs the job until no alias is pending; the scheduled job may run at the same time. */
async function finishRetagging(): Promise<void> {
  await expect
    .poll(async () => {
      await retagEssays(systemCtx(t.app.services));
      const { rows } = await t.app.services.pool.query('select 1 from tag_aliases where pending');
      return rows.length;
    })
    .toBe(0);
  expect(await checkCounters(systemCtx(t.app.services))).toEqual([]);
}

test('lists a tag that is being removed as moving or not at all', async () => {
  const { pool } = t.app.services;
  const { db } = systemCtx(t.app.services);
  await publish({ tags: ['去掉中'] });
  await pool.query(
    `insert into tag_aliases (name, to_name, pending, position, created_at)
     select '去掉中', null, true, id, now() from essays order by id limit 1`,
  );
  const whileCounting = Object.assign(Object.create(db), {
    $count: async () => {
      await finishRetagging();
      return 0;
    },
  });
  const query = { keyword: '去掉中', byName: true, isDescending: false, pageSize: 10, page: 1 };
  const { list } = await listStaffTags(whileCounting, query);
  expect(list.filter(({ moving }) => moving === null)).toEqual([]);
  expect(await tag('去掉中')).toBeUndefined();
});

test('renames a tag in cards, versions, lists and search, and redirects the old name', async () => {
  const shelved = await publish({ tags: ['旧名甲', '别的'] });
  const { data: draft } = await t.call('POST core/essay/', await essayFields(t, { tags: ['旧名甲'] }), {
    token: author.token,
  });
  expect((await rename('旧名甲', '新名甲')).success).toBe(true);
  await finishRetagging();
  expect(await tag('旧名甲')).toBeUndefined();
  expect(await tag('新名甲')).toMatchObject({ count: 1, aliases: ['旧名甲'], moving: null });
  expect((await t.call('GET core/essay/{id}', { id: shelved })).data.tags).toEqual(['新名甲', '别的']);
  for (const id of [shelved, draft.id]) expect((await source(id)).tags).toContain('新名甲');
  expect(await found('新名甲')).toEqual([shelved]);
  expect(await listByTag('旧名甲')).toMatchObject({ total: 1, tag: '新名甲', list: [{ id: shelved }] });
  expect(await listByTag('新名甲')).not.toHaveProperty('tag');
  const feed = await t.app.server.inject(`/tag/${encodeURIComponent('旧名甲')}/feed.json`);
  expect(feed.json()).toMatchObject({ title: '新名甲 · 墨栈', items: [{}] });
  const suggested = await t.call('GET core/essay/tag', { keyword: '旧名甲' });
  expect(suggested.data).toEqual([]);

  // Saving with the old name stores the new one.
  const { version } = await source(draft.id);
  await t.call(
    'PUT core/essay/',
    { id: draft.id, version, tags: ['旧名甲', '新名甲'] },
    { token: author.token },
  );
  expect((await source(draft.id)).tags).toEqual(['新名甲']);
  await publish({ tags: ['旧名甲'] });
  expect(await tag('新名甲')).toMatchObject({ count: 2 });
  // Renaming back makes the old name valid again.
  expect((await rename('新名甲', '旧名甲')).success).toBe(true);
  await finishRetagging();
  expect(await tag('旧名甲')).toMatchObject({ count: 2, aliases: ['新名甲'] });
});

test('merges tags without duplicates, and resolves chains of renames', async () => {
  const both = await publish({ tags: ['并一', '并二', '留着'] });
  await publish({ tags: ['并二'] });
  await publish({ tags: ['并到'] });
  expect((await merge(['并一', '并二', '并到'], '并到')).success).toBe(true);
  await finishRetagging();
  expect(await tag('并到')).toMatchObject({ count: 3, aliases: ['并一', '并二'] });
  expect((await t.call('GET core/essay/{id}', { id: both })).data.tags).toEqual(['并到', '留着']);
  await rename('并到', '终点');
  await finishRetagging();
  expect(await tag('终点')).toMatchObject({ count: 3, aliases: ['并一', '并二', '并到'] });
  expect(await listByTag('并一')).toMatchObject({ total: 3, tag: '终点' });
});

test('removes a tag from all essays and allows using it again', async () => {
  const id = await publish({ tags: ['要删的', '留下的'] });
  expect((await remove('要删的')).success).toBe(true);
  await finishRetagging();
  expect(await tag('要删的')).toBeUndefined();
  expect((await t.call('GET core/essay/{id}', { id })).data.tags).toEqual(['留下的']);
  expect((await source(id)).tags).toEqual(['留下的']);
  await publish({ tags: ['要删的'] });
  expect(await tag('要删的')).toMatchObject({ count: 1 });
});

test('keeps counts and names consistent under concurrent renames and shelving', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => publish({ tags: ['争甲', '争乙'] })));
  const waiting = await submitEssay(t, author, { tags: ['争甲'] });
  const status = (id: string, to: number, token: string) =>
    t.call('PUT core/essay/status', { id, status: to }, { token });
  await status(waiting, 2, auditor);
  const [first, second] = await Promise.all([
    rename('争甲', '争丙'),
    rename('争乙', '争甲'),
    status(waiting, 3, author.token),
    status(ids[0] ?? '', 4, author.token),
    retagEssays(systemCtx(t.app.services)),
  ]);
  // The second rename may be refused while the first is running.
  expect([first, second].filter(({ success }) => success).length).toBeGreaterThan(0);
  for (const response of [first, second])
    if (!response.success) expect(['TAG_MOVING', 'NOT_FOUND']).toContain(response.errorCode);
  await finishRetagging();
  for (const name of ['争甲', '争乙', '争丙'])
    expect((await listByTag(name)).list.every(({ tags }) => new Set(tags).size === tags.length)).toBe(true);
  const currentTags = (await t.call('GET core/essay/{id}', { id: waiting })).data.tags;
  expect(currentTags).toEqual([first.success ? '争丙' : '争甲']);
});

test('sorts by count or name, filters by prefix and pages by cursor', async () => {
  for (const sort of ['count', 'name'])
    for (const order of [0, 1]) {
      const allNames = (await list({ sort, order })).list.map(({ name }) => name);
      const first = await list({ sort, order, pageSize: 3 });
      const rest = await list({ sort, order, cursor: first.next });
      expect([...first.list, ...rest.list].map(({ name }) => name)).toEqual(allNames);
    }
  expect((await list({ keyword: '终' })).list.map(({ name }) => name)).toEqual(['终点']);
});

test('rejects missing tags, invalid names and unchanged names', async () => {
  const before = await list();
  expect((await rename('没有的标签', '别名')).status).toBe(404);
  expect((await rename('终点', '终点')).errorCode).toBe('INVALID');
  expect((await rename('终点', 'a<b')).errorCode).toBe('INVALID');
  expect((await merge([], '终点')).errorCode).toBe('INVALID');
  const calls = [
    ['tag:list', 'GET core/sys/tag/', {}],
    ['tag:update', 'PUT core/sys/tag/', { name: '终点', to: 'x' }],
    ['tag:remove', 'DELETE core/sys/tag/', { name: '终点' }],
  ] as const;
  await expectPermissionRequired(t, calls, [author]);
  expect(await list()).toEqual(before);
  const { rows } = await t.app.services.pool.query(
    `select before, after from operations where target = 'tag:旧名甲' order by id`,
  );
  expect(rows[0]).toEqual({ before: { name: '旧名甲' }, after: { name: '新名甲' } });
});

test('removes a tag with the last essay on the shelf that has it', async () => {
  const [first, second] = [await publish({ tags: ['将空'] }), await publish({ tags: ['将空', '也空'] })];
  expect(await tag('将空')).toMatchObject({ count: 2 });
  const off = (id: string) => t.call('PUT core/essay/status', { id, status: 4 }, { token: author.token });
  await off(second);
  expect(await tag('也空')).toBeUndefined();
  expect(await tag('将空')).toMatchObject({ count: 1 });
  await off(first);
  expect(await tag('将空')).toBeUndefined();
  for (const name of ['将空', '也空']) {
    expect((await t.call('GET core/essay/tag', { keyword: name })).data).toEqual([]);
    expect((await t.call('GET core/essay/suggest', { keyword: name })).data.tags).toEqual([]);
  }
  await t.call('PUT core/essay/status', { id: second, status: 3 }, { token: author.token });
  expect(await tag('也空')).toMatchObject({ count: 1 });
  await finishRetagging();
});
