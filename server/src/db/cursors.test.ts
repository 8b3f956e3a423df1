import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import { type Call, isStaffCall } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../testing/essays.ts';

let t: TestApp;
let admin: string;
let writer: TestUser;
const given: Record<string, string> = {};
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
  writer = await createWriter(t);
  given.essayId = await publishEssay(t, writer, {});
  const comment = { essayId: given.essayId, content: '说得好' };
  given.cmtId = (await t.call('POST core/essay/cmt', comment, { token: writer.token })).data.id;
  const exported = await t.call('POST core/sys/transfer/export', { scope: 'site' }, { token: admin });
  given.transferId = exported.data.id;
});
afterAll(() => t.close());

interface Shape {
  properties?: Record<string, { enum?: string[] }>;
  required?: string[];
}

const shapeOf = (call: Call) =>
  z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as unknown as Shape;
const lists = calls.filter((call) => shapeOf(call).properties?.cursor !== undefined);

const encode = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
const ID = 'a'.repeat(32);
const WRONG = [
  'x',
  '!!!',
  encode('x'),
  encode([1]),
  encode([]),
  encode({ id: ID }),
  encode(['2026-01-01T00:00:00.000Z', 'not-an-id']),
  // No list has a key of four parts.
  encode(['1', '2', '3', '4', ID]),
];

/** Essays have an order to choose only as results of a search. */
const orderOf = (call: Call, sort: string | undefined): Record<string, string> =>
  sort === undefined ? {} : { sort, ...(call.path === 'core/essay/' ? { keyword: '什么' } : {}) };

function inputFor(call: Call): Record<string, string> {
  const { required = [] } = shapeOf(call);
  const input: Record<string, string> = {};
  for (const name of required) {
    if (name === 'id') input.id = (call.path.includes('transfer') ? given.transferId : given.essayId) ?? '';
    else input[name] = given[name] ?? '什么';
  }
  return input;
}

test('finds the calls that return lists', () => {
  expect(lists.length).toBeGreaterThan(40);
});

test.each(lists.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s rejects an invalid cursor in every order',
  async (name, call) => {
    const token = isStaffCall(call) ? admin : writer.token;
    const request = (extra: object) => t.call(name as RouteName, { ...inputFor(call), ...extra }, { token });
    for (const sort of [undefined, ...(shapeOf(call).properties?.sort?.enum ?? [])]) {
      const order = orderOf(call, sort);
      expect((await request(order)).success, sort).toBe(true);
      for (const cursor of WRONG) {
        const { status, errorCode, fields } = await request({ ...order, cursor });
        expect({ cursor, status, errorCode, fields }).toEqual({
          cursor,
          status: 422,
          errorCode: 'INVALID',
          fields: { cursor: '游标无效，请从第一页重新开始' },
        });
      }
    }
  },
);

/** Well-formed parts that are not valid dates or numbers in PostgreSQL. */
const IMPOSSIBLE = [
  '2024-02-31T00:00:00.000Z',
  '2023-02-29T00:00:00.000Z',
  '2024-13-01T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '2024-02-31',
  '1e999',
  '99999999999',
].map((part) => encode([part, ID]));

test.each(lists.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s passes no impossible date or number to the database',
  async (name, call) => {
    const token = isStaffCall(call) ? admin : writer.token;
    for (const sort of [undefined, ...(shapeOf(call).properties?.sort?.enum ?? [])]) {
      for (const cursor of IMPOSSIBLE) {
        const input = { ...inputFor(call), cursor, ...orderOf(call, sort) };
        // In a list ordered by name any text is valid.
        expect([200, 422], cursor).toContain((await t.call(name as RouteName, input, { token })).status);
      }
    }
  },
);

test.each(['latest', 'hot', 'following'])('the %s feed rejects an invalid cursor', async (feed) => {
  const wrong = { feed, cursor: encode(['1', '2', ID]) };
  expect((await t.call('GET core/essay/', wrong, { token: writer.token })).fields?.cursor).toContain('游标');
});

test('the lists of an author, a tag, a column and a search reject an invalid cursor', async () => {
  const { data: column } = await t.call('POST core/essay/column', { name: '专栏' }, { token: writer.token });
  for (const filter of [
    { authorId: writer.user.id },
    { columnId: column.id },
    { tag: '标签' },
    { keyword: '正文' },
    { mine: 1 },
  ]) {
    const cursor = encode(['no', ID]);
    const response = await t.call('GET core/essay/', { ...filter, cursor }, { token: writer.token });
    expect([filter, response.fields?.cursor]).toEqual([filter, '游标无效，请从第一页重新开始']);
  }
});

test('a list rejects a cursor of another order', async () => {
  const list = (query: object) => t.call('GET core/essay/', query);
  await publishEssay(t, writer, {});
  const { next } = (await list({ feed: 'latest', pageSize: 1 })).data;
  expect((await list({ feed: 'latest', pageSize: 1, cursor: next })).data.list).toHaveLength(1);
  expect((await list({ feed: 'hot', pageSize: 1, cursor: next })).status).toBe(422);
});
