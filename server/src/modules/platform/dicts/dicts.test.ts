import type { Dict, DictItem } from '@mozhan/contract/dicts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedInstallation } from '../../../first-start.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';

const ALL = ['dict:list', 'dict:create', 'dict:update', 'dict:remove'] as const;
let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ALL)).token;
});
afterAll(() => t.close());

const list = async () => (await t.call('GET core/sys/dict/', {}, { token: staff })).data as Dict[];
const itemsOf = async (query: object, token?: string) =>
  (await t.call('GET core/sys/dict/item/', query, { token })).data as DictItem[];
const texts = async (query: object, token?: string) => (await itemsOf(query, token)).map((each) => each.item);
let createdCount = 0;
const create = (more: object = {}) => {
  createdCount += 1;
  return t.call(
    'POST core/sys/dict/',
    { code: `made-${createdCount}`, name: `字典 ${createdCount}`, ...more },
    { token: staff },
  );
};
const addItem = (dictId: string, value: string, more: object = {}) =>
  t.call('POST core/sys/dict/item/', { dictId, value, item: `${value} 的文字`, ...more }, { token: staff });

test('the first start creates five dictionaries that everyone can read', async () => {
  expect((await list()).map((each) => each.code)).toEqual([
    'audit-check',
    'audit-reason',
    'off-shelf-reason',
    'report-reason',
    'skill',
  ]);
  expect((await itemsOf({ code: 'audit-reason' }))[0]).toEqual({
    id: expect.any(String),
    dictId: expect.any(String),
    value: 'off-topic',
    item: '与技术无关',
    sort: 10,
    enabled: 1,
  });
  expect(await texts({ code: 'audit-reason' })).toHaveLength(8);
  expect(await texts({ code: 'audit-check' })).toHaveLength(6);
  expect(await texts({ code: 'skill' })).toContain('PostgreSQL');
});

test('does not recreate removed dictionaries at the next start', async () => {
  const reasons = await itemsOf({ code: 'report-reason' });
  for (const { id } of reasons) await t.call('DELETE core/sys/dict/item/', { id }, { token: staff });
  const id = (await list()).find((each) => each.code === 'report-reason')?.id ?? '';
  expect((await t.call('DELETE core/sys/dict/', { id }, { token: staff })).data).toEqual({ done: true });
  await seedInstallation(systemCtx(t.app.services));
  expect((await list()).map((each) => each.code)).not.toContain('report-reason');
  expect((await t.call('DELETE core/sys/dict/', { id }, { token: staff })).status).toBe(404);
  expect(await texts({ code: 'report-reason' })).toEqual([]);
});

test('returns enabled items to everyone, and all items to staff with dict:list', async () => {
  const { data: dict } = await create();
  const { data: first } = await addItem(dict.id, 'a');
  expect(first).toMatchObject({ dictId: dict.id, value: 'a', item: 'a 的文字', sort: 10, enabled: 1 });
  const { data: hidden } = await addItem(dict.id, 'b', { enabled: 0, sort: 5 });
  await addItem(dict.id, 'c');
  const reader = await t.register();
  for (const token of [undefined, reader.token, staff])
    expect(await texts({ code: dict.code }, token)).toEqual(['a 的文字', 'c 的文字']);
  expect(await texts({ dictId: dict.id }, staff)).toEqual(['b 的文字', 'a 的文字', 'c 的文字']);
  const byId = (id: string, token?: string) => t.call('GET core/sys/dict/item/', { id }, { token });
  expect((await byId(first.id)).data).toEqual(first);
  expect((await byId(hidden.id)).status).toBe(404);
  expect((await byId(hidden.id, reader.token)).status).toBe(404);
  expect((await byId(hidden.id, staff)).data).toEqual(hidden);

  await t.call('PUT core/sys/dict/', { id: dict.id, enabled: 0 }, { token: staff });
  expect(await texts({ code: dict.code })).toEqual([]);
  expect((await byId(first.id)).status).toBe(404);
  expect(await texts({ dictId: dict.id }, staff)).toHaveLength(3);
  expect((await t.call('GET core/sys/dict/', { id: dict.id }, { token: staff })).data).toEqual({
    ...dict,
    enabled: 0,
  });
});

test('updates only the given fields and logs the change', async () => {
  const { data: dict } = await create();
  const { data: item } = await addItem(dict.id, 'x');
  const put = (fields: object) =>
    t.call('PUT core/sys/dict/item/', { id: item.id, ...fields }, { token: staff });
  expect((await put({ item: '新的文字' })).data).toEqual({ ...item, item: '新的文字' });
  await Promise.all([put({ value: 'y' }), put({ sort: 3 }), put({ enabled: 0 })]);
  expect(await itemsOf({ dictId: dict.id }, staff)).toEqual([
    { ...item, item: '新的文字', value: 'y', sort: 3, enabled: 0 },
  ]);
  const renamed = await t.call('PUT core/sys/dict/', { id: dict.id, name: '改名' }, { token: staff });
  expect(renamed.data).toEqual({ ...dict, name: '改名' });
  const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: await t.signInAdmin() });
  expect(log.data.list[0]).toMatchObject({
    target: `dict:${dict.id}`,
    before: { dict: dict.code, name: dict.name },
    after: { dict: dict.code, name: '改名' },
  });
});

test('rejects a duplicate code or value, also in concurrent requests', async () => {
  const dicts = await Promise.all([1, 2, 3].map(() => create({ code: 'wanted' })));
  expect(dicts.filter((response) => response.success)).toHaveLength(1);
  for (const response of dicts.filter((each) => !each.success))
    expect(response).toMatchObject({ status: 200, errorCode: 'DICT_TAKEN' });
  const { data: dict } = await create();
  const renamed = await t.call('PUT core/sys/dict/', { id: dict.id, code: 'wanted' }, { token: staff });
  expect(renamed).toMatchObject({ errorCode: 'DICT_TAKEN' });

  const items = await Promise.all([1, 2, 3].map(() => addItem(dict.id, 'same')));
  expect(items.filter((response) => response.success)).toHaveLength(1);
  for (const response of items.filter((each) => !each.success))
    expect(response).toMatchObject({ status: 200, errorCode: 'DICT_VALUE_TAKEN' });
  const { data: other } = await addItem(dict.id, 'other');
  const changed = await t.call('PUT core/sys/dict/item/', { id: other.id, value: 'same' }, { token: staff });
  expect(changed).toMatchObject({ errorCode: 'DICT_VALUE_TAKEN' });
  const { data: elsewhere } = await create();
  expect((await addItem(elsewhere.id, 'same')).success).toBe(true);
});

test('does not remove a dictionary that has items, also when one is added concurrently', async () => {
  const { data: full } = await create();
  await addItem(full.id, 'a');
  const remove = (id: string) => t.call('DELETE core/sys/dict/', { id }, { token: staff });
  expect(await remove(full.id)).toMatchObject({
    status: 200,
    errorCode: 'DICT_HAS_ITEMS',
    errorMessage: '这个字典里还有条目，请先删除条目',
  });
  const { data: empty } = await create();
  const [added, removed] = await Promise.all([addItem(empty.id, 'a'), remove(empty.id)]);
  expect([added.success, removed.success].filter(Boolean)).toHaveLength(1);
  expect(added.success ? removed.errorCode : added.status).toBe(added.success ? 'DICT_HAS_ITEMS' : 404);
});

test('appends items with the maximum sort number when it is reached', async () => {
  const { data: dict } = await create();
  await addItem(dict.id, 'a', { sort: 9999 });
  expect((await addItem(dict.id, 'b')).data.sort).toBe(9999);
});

test.each([
  ['code', { code: '9lives' }],
  ['code', { code: '编码' }],
  ['code', { code: undefined }],
  ['name', { name: ' ' }],
  ['name', { name: '长'.repeat(21) }],
  ['enabled', { enabled: 2 }],
])('rejects a dictionary with an invalid %s: %j', async (field, more) => {
  expect(await create(more)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
});

test.each([
  ['value', { value: ' ' }],
  ['value', { value: 'v'.repeat(51) }],
  ['item', { item: '两\n行' }],
  ['item', { item: '长'.repeat(101) }],
  ['sort', { sort: -1 }],
  ['dictId', { dictId: 'x' }],
])('rejects an item with an invalid %s: %j', async (field, more) => {
  const { data: dict } = await create();
  expect(await addItem(dict.id, 'v', more)).toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) },
  });
});

test('requires a filter to list items, and returns 404 for unknown ids', async () => {
  expect(await t.call('GET core/sys/dict/item/')).toMatchObject({
    status: 422,
    fields: { code: '请给出字典的编码' },
  });
  const nothing = '0'.repeat(32);
  expect((await addItem(nothing, 'v')).status).toBe(404);
  expect(await texts({ dictId: nothing }, staff)).toEqual([]);
  for (const route of [
    'PUT core/sys/dict/item/',
    'DELETE core/sys/dict/item/',
    'PUT core/sys/dict/',
  ] as const)
    expect((await t.call(route, { id: nothing }, { token: staff })).status).toBe(404);
});

test('each action requires its own permission', async () => {
  const { data: dict } = await create();
  const { data: item } = await addItem(dict.id, 'v');
  await expectPermissionRequired(t, [
    ['dict:list', 'GET core/sys/dict/', {}],
    ['dict:list', 'GET core/sys/dict/item/', { dictId: dict.id }],
    ['dict:create', 'POST core/sys/dict/', { code: 'never', name: '无' }],
    ['dict:create', 'POST core/sys/dict/item/', { dictId: dict.id, value: 'n', item: '无' }],
    ['dict:update', 'PUT core/sys/dict/', { id: dict.id, name: '无' }],
    ['dict:update', 'PUT core/sys/dict/item/', { id: item.id, item: '无' }],
    ['dict:remove', 'DELETE core/sys/dict/', { id: dict.id }],
    ['dict:remove', 'DELETE core/sys/dict/item/', { id: item.id }],
  ]);
});
