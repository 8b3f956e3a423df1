import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  categoryIds,
  createWriter,
  publishEssay,
  submitEssay,
  type TestUser,
} from '../../../testing/essays.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';
import { routes } from './routes/essays.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
let auditor: string;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  stranger = await createWriter(t, '别人');
  auditor = (await createStaffWithRole(t, 'auditor')).token;
});
afterAll(() => t.close());

const browser = (version = 140) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const read = async (id: string, token?: string) => t.call('GET core/essay/{id}', { id }, { token });
const list = async (query: object, token?: string) =>
  (await t.call('GET core/essay/', query, { token })).data;
const ids = async (query: object, token?: string) => (await list(query, token)).list.map(({ id }) => id);

test('returns 404 for an unknown id and 422 for an invalid one', async () => {
  expect((await read(newId())).status).toBe(404);
  expect((await read('nonsense')).status).toBe(422);
});

describe('a locked text', () => {
  const OPEN = '开头的话谁都能读';
  const SECRET = '锁住的秘密内容';
  const content = `${OPEN}。\n\n${'铺垫的句子。'.repeat(30)}\n\n## ${SECRET}标题\n\n${`${SECRET}。`.repeat(60)}\n\n\`\`\`js\nconst ${'secretName'} = 1;\n\`\`\`\n`;

  /** All responses that a user without access to the full text can get. */
  async function everythingPublic(id: string, token?: string): Promise<string> {
    const responses = [
      await read(id, token),
      await t.call('GET core/essay/', {}, { token }),
      await t.call('GET core/essay/', { keyword: SECRET }, { token }),
      await t.call('GET core/essay/', { keyword: 'secretName' }, { token }),
      await t.call('GET core/essay/', { authorId: author.user.id }, { token }),
      await t.call('GET core/essay/{id}/related', { id }, { token }),
      await t.call('GET core/essay/suggest', { keyword: SECRET.slice(0, 2) }, { token }),
      await t.call('GET core/essay/{id}/source', { id }, { token }),
      await t.call('GET core/essay/{id}/revision', { id, revision: 1 }, { token }),
      await t.call('GET core/sys/essay/audit', { id }, { token }),
    ];
    return JSON.stringify(responses.map(({ data }) => data));
  }

  test('locks the text by a price for all but the author and auditors', async () => {
    const id = await publishEssay(t, author, { content, price: 500 });
    for (const token of [undefined, stranger.token, (await createStaff(t, ['essay:list'])).token]) {
      const { data } = await read(id, token);
      expect(data).toMatchObject({ locked: 'buy', price: 500 });
      expect(data.html).toContain(OPEN);
      expect(data.toc).toEqual([]);
      const all = await everythingPublic(id, token);
      expect(all).not.toContain(SECRET);
      expect(all).not.toContain('secretName');
    }
    for (const token of [author.token, auditor]) {
      const { data } = await read(id, token);
      expect(data.locked).toBeNull();
      expect(data.html).toContain(SECRET);
      expect(data.toc).toHaveLength(1);
    }
  });

  test('shows a draft to its author and auditors, not to other staff', async () => {
    const { data } = await t.call('POST core/essay/', { title: '没写完', content }, { token: author.token });
    const lister = (await createStaff(t, ['essay:list', 'essay:update'])).token;
    expect((await read(data.id, lister)).data).toMatchObject({ title: '没写完', html: '' });
    for (const token of [author.token, auditor])
      expect((await read(data.id, token)).data.html).toContain(SECRET);
  });

  test('members read essays that are free for members', async () => {
    const free = await publishEssay(t, author, { content, price: 500, memberFree: true });
    const only = await publishEssay(t, author, { content, memberFree: true });
    const paid = await publishEssay(t, author, { content, price: 500 });
    expect((await read(only)).data.locked).toBe('member');
    const member = await t.register();
    const until = (when: string) =>
      t.app.services.pool.query(`update users set member_until = now() + $2::interval where id = $1`, [
        member.user.id,
        when,
      ]);
    await until('1 day');
    expect((await read(free, member.token)).data).toMatchObject({ locked: null });
    expect((await read(only, member.token)).data.html).toContain(SECRET);
    expect((await read(paid, member.token)).data.locked).toBe('buy');
    await until('-1 day');
    expect((await read(only, member.token)).data).toMatchObject({ locked: 'member' });
    expect((await read(only, member.token)).data.html).not.toContain(SECRET);
  });

  test('a revision of the price locks or unlocks the text', async () => {
    const id = await publishEssay(t, author, { content, price: 500 });
    const revise = async (version: number, fields: object) => {
      await t.call('PUT core/essay/', { id, version, ...fields }, { token: author.token });
      await t.call('PUT core/essay/status', { id, status: 1, revision: true }, { token: author.token });
      await t.call('PUT core/essay/status', { id, status: 3, revision: true }, { token: auditor });
    };
    await revise(1, { price: 0 });
    expect((await read(id)).data).toMatchObject({ locked: null, html: expect.stringContaining(SECRET) });
    await revise(2, { price: 300, previewPercent: 20 });
    expect((await read(id)).data).toMatchObject({ locked: 'buy', html: expect.not.stringContaining(SECRET) });
    expect(await ids({ keyword: SECRET })).not.toContain(id);
  });

  test('derives the summary from the public text only', async () => {
    const id = await publishEssay(t, author, {
      content: `${SECRET}${'。没有试读的文章'.repeat(50)}`,
      price: 100,
      previewPercent: 0,
    });
    const { data } = await read(id);
    expect(JSON.stringify(data)).not.toContain(SECRET);
    expect(data.summary).toBe('');
  });
});

describe('lists', () => {
  test('page through essays, newest first, by cursor and by page number', async () => {
    const { app } = await categoryIds(t);
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      made.unshift(await publishEssay(t, author, { categoryId: app ?? '' }));
      t.advance(1000);
    }
    const first = await list({ category: 'app', pageSize: 2 });
    expect(first).toMatchObject({ total: 5, page: 1, pageSize: 2 });
    const second = await list({ category: 'app', pageSize: 2, cursor: first.next });
    const third = await list({ category: 'app', pageSize: 2, cursor: second.next });
    expect([...first.list, ...second.list, ...third.list].map(({ id }) => id)).toEqual(made);
    expect(third.next).toBeNull();
    expect(await ids({ category: 'app', pageSize: 2, page: 2 })).toEqual(made.slice(2, 4));
    // A new essay causes neither duplicates nor gaps.
    const fresh = await publishEssay(t, author, { categoryId: app ?? '' });
    expect(
      (await list({ category: 'app', pageSize: 2, cursor: first.next })).list.map(({ id }) => id),
    ).toEqual(made.slice(2, 4));
    expect((await ids({ category: 'app' }))[0]).toBe(fresh);
    expect((await list({ category: 'app' })).total).toBe(6);
    expect((await t.call('GET core/essay/', { category: 'nothing' })).status).toBe(404);
    expect((await t.call('GET core/essay/', { cursor: 'nonsense' })).status).toBe(422);
  });

  test('filter by author, tag and column, with counts of essays on the shelf', async () => {
    const other = await createWriter(t, '第三人');
    const column = (await t.call('POST core/essay/column', { name: '系列' }, { token: other.token }))
      .data as { id: string };
    const one = await publishEssay(t, other, { tags: ['独有标签', '共有'], columnId: column.id });
    const two = await publishEssay(t, other, { tags: ['独有标签'], columnId: column.id });
    await submitEssay(t, other, { tags: ['独有标签'], columnId: column.id });
    expect(await ids({ authorId: other.user.id })).toEqual([two, one]);
    expect(await ids({ tag: '独有标签' })).toEqual([two, one]);
    expect(await ids({ columnId: column.id })).toEqual([one, two]);
    const tagCount = async () =>
      (await t.call('GET core/essay/tag', { limit: 100 })).data.find(({ name }) => name === '独有标签')
        ?.count;
    expect(await tagCount()).toBe(2);
    const profile = async () =>
      (await t.call('GET core/user/public', { id: other.user.id })).data.counters.essays;
    expect(await profile()).toBe(2);
    await t.call('PUT core/essay/status', { id: one, status: 4 }, { token: other.token });
    expect(await ids({ tag: '独有标签' })).toEqual([two]);
    expect(await tagCount()).toBe(1);
    expect(await profile()).toBe(1);
    expect((await list({ columnId: column.id })).total).toBe(1);
    await t.call('DELETE core/essay/{id}', { id: two }, { token: other.token });
    expect(await tagCount()).toBeUndefined();
    expect(await profile()).toBe(0);
  });

  test('share the query of concurrent equal requests and record the cache tags for each', async () => {
    const tag = '同问';
    const id = await publishEssay(t, author, { tags: [tag] });
    const binding = routes.find(({ call }) => call.method === 'GET' && call.path === 'core/essay/');
    const ask = (question: object) => {
      const pageTags = new Set<string>();
      const input = { page: 1, pageSize: 10, ...question };
      const response = binding?.run({ ...systemCtx(t.app.services), pageTags }, input as never);
      return { pageTags, response };
    };
    const { pool } = t.app.services;
    const query = vi.spyOn(pool, 'query');
    const requests = [ask({ tag }), ask({ tag }), ask({ tag })];
    for (const { response, pageTags } of requests) {
      expect(await response).toMatchObject({ total: 1, list: [{ id }] });
      expect(pageTags).toEqual(new Set(['essays', 'site', `essay:${id}`, `user:${author.user.id}`]));
    }
    const asked = query.mock.calls.filter((call) => JSON.stringify(call).includes('essay_tags'));
    query.mockRestore();
    expect(asked).toHaveLength(1);

    const failed = [ask({ category: 'nowhere' }), ask({ category: 'nowhere' })];
    for (const { response, pageTags } of failed) {
      await expect(response).rejects.toMatchObject({ code: 'NOT_FOUND' });
      // Creating a category with this slug must invalidate the page.
      expect(pageTags).toEqual(new Set(['essays', 'site']));
    }
  });

  test('include a new essay immediately, even under concurrent requests', async () => {
    const tag = '随问随新';
    const token = stranger.token;
    let isOver = false;
    const crowd = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        await list({ tag });
        await setImmediate();
      }
    });
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      made.unshift(await publishEssay(t, author, { tags: [tag] }));
      expect(await Promise.all([ids({ tag }), ids({ tag }, token)])).toEqual([made, made]);
    }
    isOver = true;
    await Promise.all(crowd);
    // `tag` takes precedence over `feed`, so no session is required.
    expect(await ids({ tag, feed: 'following' })).toEqual(made);
  });

  test('list own essays of any status to their author only', async () => {
    const other = await createWriter(t, '第四人');
    const draft = (await t.call('POST core/essay/', { title: '草稿' }, { token: other.token })).data.id;
    const waiting = await submitEssay(t, other);
    expect(await ids({ mine: 1 }, other.token)).toEqual([waiting, draft]);
    expect(await ids({ mine: 1, status: 0 }, other.token)).toEqual([draft]);
    expect(await ids({ authorId: other.user.id })).toEqual([]);
    expect((await t.call('GET core/essay/', { mine: 1 })).status).toBe(401);
    expect((await t.call('GET core/essay/', { status: 0 })).status).toBe(422);
  });

  test('sort hot essays by reads', async () => {
    const quiet = await publishEssay(t, author);
    const read = await publishEssay(t, author);
    const later = await publishEssay(t, author);
    for (let i = 0; i < 12; i += 1)
      await t.call('POST core/essay/read', { essayId: read }, { headers: { 'user-agent': browser(i) } });
    const hot = await ids({ feed: 'hot', pageSize: 100 });
    expect(hot.indexOf(read)).toBeLessThan(hot.indexOf(later));
    expect(hot.indexOf(later)).toBeLessThan(hot.indexOf(quiet));
    const first = await list({ feed: 'hot', pageSize: 3 });
    const rest = await list({ feed: 'hot', pageSize: 100, cursor: first.next });
    expect([...first.list, ...rest.list].map(({ id }) => id)).toEqual(hot);
  });

  test('list essays of followed authors', async () => {
    const reader = await t.register();
    expect((await t.call('GET core/essay/', { feed: 'following' })).status).toBe(401);
    expect(await list({ feed: 'following' }, reader.token)).toMatchObject({ list: [], total: 0 });
    const [a, b] = [await createWriter(t, '甲'), await createWriter(t, '乙')];
    const made = [];
    for (const writer of [a, b, a, stranger]) {
      made.unshift(await publishEssay(t, writer));
      t.advance(1000);
    }
    for (const { user } of [a, b])
      await t.call('POST core/essay/follow', { userId: user.id }, { token: reader.token });
    expect(await ids({ feed: 'following' }, reader.token)).toEqual(made.slice(1));
    const first = await list({ feed: 'following', pageSize: 2 }, reader.token);
    expect(first.total).toBe(3);
    expect(await ids({ feed: 'following', cursor: first.next }, reader.token)).toEqual(made.slice(3));
  });
});

test('sorts related essays by shared tags, then by category', async () => {
  const id = await publishEssay(t, author, { tags: ['相关甲', '相关乙'] });
  const both = await publishEssay(t, author, { tags: ['相关甲', '相关乙'] });
  const one = await publishEssay(t, author, { tags: ['相关乙'] });
  const { data } = await t.call('GET core/essay/{id}/related', { id });
  expect(data.slice(0, 2).map((essay) => essay.id)).toEqual([both, one]);
  expect(data.length).toBeLessThanOrEqual(6);
  expect(data.map((essay) => essay.id)).not.toContain(id);
});

test('returns the neighbours by time and in the column', async () => {
  const writer = await createWriter(t, '连载的人');
  const column = (await t.call('POST core/essay/column', { name: '连载' }, { token: writer.token })).data as {
    id: string;
  };
  const made: string[] = [];
  for (const columnId of [column.id, null, column.id]) {
    made.push(await publishEssay(t, writer, { columnId, title: '监控系统与数据库' }));
    t.advance(1000);
  }
  const [first = '', second = '', third = ''] = made;
  const { data } = await read(second);
  expect([data.previous?.id, data.next?.id, data.column]).toEqual([first, third, null]);
  expect(data.previous?.titleBreaks).toEqual([2, 4, 5]);
  expect((await read(third)).data.column).toMatchObject({
    name: '连载',
    position: 2,
    count: 2,
    previous: { id: first },
    next: null,
    essays: [
      { id: first, position: 1, titleBreaks: [2, 4, 5] },
      { id: third, position: 2 },
    ],
  });
  await t.call('PUT core/essay/column', { id: column.id, essayIds: [third, first] }, { token: writer.token });
  expect((await read(third)).data.column).toMatchObject({ position: 1, previous: null, next: { id: first } });
});

describe('read counting', () => {
  // Responses for visitors may be cached for some seconds.
  const count = async (id: string) => (await read(id, stranger.token)).data.readCount;
  const view = (essayId: string, options: { token?: string; agent?: string; address?: string } = {}) =>
    t.call(
      'POST core/essay/read',
      { essayId },
      {
        token: options.token,
        ...(options.address === undefined ? {} : { address: options.address }),
        headers: { 'user-agent': options.agent ?? browser() },
      },
    );

  test('counts each reader and visitor once a day, never robots', async () => {
    const id = await publishEssay(t, author);
    const reader = await t.register();
    expect((await view(id)).data.counted).toBe(true);
    expect((await view(id)).data.counted).toBe(false);
    expect((await view(id, { token: reader.token })).data.counted).toBe(true);
    expect((await view(id, { token: reader.token, address: '9.9.9.9' })).data.counted).toBe(false);
    expect((await view(id, { address: '8.8.8.8' })).data.counted).toBe(true);
    expect((await view(id, { agent: 'Googlebot/2.1' })).data.counted).toBe(false);
    expect((await view(id, { agent: '' })).data.counted).toBe(false);
    expect(await count(id)).toBe(3);
    t.advance(86_400_000);
    const again = await t.call('POST core/account/login', {
      account: reader.user.account,
      password: 'correct horse 电池',
    });
    expect((await view(id, { token: again.token ?? '' })).data.counted).toBe(true);
    expect(await count(id)).toBe(4);
  });

  test('counts concurrent reads exactly, for the essay and its author', async () => {
    const writer = await createWriter(t, '很多人读');
    const [one, two] = [await publishEssay(t, writer), await publishEssay(t, writer)];
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => view(i % 2 === 0 ? one : two, { address: `10.1.0.${i % 20}` })),
    );
    const counted = responses.filter(({ data }) => data.counted).length;
    expect(counted).toBe(20);
    expect((await count(one)) + (await count(two))).toBe(20);
    const { data } = await t.call('GET core/user/public', { id: writer.user.id });
    expect(data.counters.reads).toBe(20);
  });

  test('counts essays on the shelf only', async () => {
    expect((await view(newId())).status).toBe(404);
    expect((await view(await submitEssay(t, author))).status).toBe(404);
  });

  test('shows history and progress to the reader only', async () => {
    const reader = await t.register();
    const [one, two] = [await publishEssay(t, author), await publishEssay(t, author)];
    const at = (essayId: string, progress: number) =>
      t.call(
        'POST core/essay/read',
        { essayId, progress },
        { token: reader.token, headers: { 'user-agent': browser() } },
      );
    await at(one, 10);
    t.advance(1000);
    await at(two, 80);
    t.advance(1000);
    await at(one, 45);
    const { data } = await t.call('GET core/essay/read', {}, { token: reader.token });
    expect(data.list.map(({ id, progress }) => [id, progress])).toEqual([
      [one, 45],
      [two, 80],
    ]);
    expect((await read(one, reader.token)).data.mine.progress).toBe(45);
    expect((await read(one)).data.mine.progress).toBe(0);
    expect((await t.call('GET core/essay/read')).status).toBe(401);
    const byProfile = (token?: string, userId?: string) =>
      t.call('GET core/user/profile/read', userId === undefined ? {} : { userId }, { token });
    expect((await byProfile(reader.token)).data).toEqual(data);
    expect((await byProfile(reader.token, reader.user.id)).data).toEqual(data);
    for (const token of [undefined, stranger.token])
      expect((await byProfile(token, reader.user.id)).data).toMatchObject({ list: [], total: 0 });
    expect((await byProfile()).status).toBe(401);
    const trends = await t.call('GET core/user/trend', { type: 0 }, { token: reader.token });
    expect(trends.data.list.map(({ target }) => target?.id)).toEqual([two, one]);
    // Trends of the type read are private.
    const others = await t.call('GET core/user/trend', { userId: reader.user.id }, { token: stranger.token });
    expect(others.data.list.map(({ type }) => type)).not.toContain(0);
  });
});

test('rejects the deletion of a category with essays', async () => {
  const admin = await t.signInAdmin();
  const { data } = await t.call('POST core/sys/category/', { slug: 'used', name: '在用' }, { token: admin });
  const id = await publishEssay(t, author, { categoryId: data.id });
  const refused = await t.call('DELETE core/sys/category/', { id: data.id }, { token: admin });
  expect(refused.errorCode).toBe('CATEGORY_IN_USE');
  await t.call('DELETE core/essay/{id}', { id }, { token: author.token });
  expect((await t.call('DELETE core/sys/category/', { id: data.id }, { token: admin })).success).toBe(true);
});

test('ranks often read essays first in search, and deletes reads of past days', async () => {
  const word = '热度实验词';
  const made = [];
  for (let i = 0; i < 3; i += 1)
    made.push(await publishEssay(t, author, { title: word, content: `${word}。` }));
  const [first = ''] = made;
  for (let i = 0; i < 30; i += 1)
    await t.call('POST core/essay/read', { essayId: first }, { headers: { 'user-agent': browser(i + 1) } });
  const ctx = systemCtx(t.app.services);
  await jobs['refresh-heat']?.(ctx, {});
  expect((await ids({ keyword: word }))[0]).toBe(first);
  const reads = async () =>
    (await t.app.services.pool.query('select 1 from essay_reads where essay_id = $1', [first])).rowCount;
  await jobs['forget-reads']?.(ctx, {});
  expect(await reads()).toBe(30);
  t.advance(3 * 86_400_000);
  await jobs['forget-reads']?.(systemCtx(t.app.services), {});
  expect(await reads()).toBe(0);
});

test('counts more concurrent reads with request ids than there are connections, once each', async () => {
  const id = await publishEssay(t, author);
  const readers = await Promise.all(Array.from({ length: 12 }, () => t.register()));
  const send = ({ token }: { token: string }, requestId: string) =>
    t.call(
      'POST core/essay/read',
      { essayId: id, progress: 40, requestId },
      { token, headers: { 'user-agent': browser() } },
    );
  const responses = await Promise.all(
    readers.flatMap((reader) => ['a', 'b', 'c'].map((requestId) => send(reader, requestId))),
  );
  expect(responses.filter((response) => response.data?.counted)).toHaveLength(12);
  expect(responses.every((response) => response.success)).toBe(true);
  expect((await read(id)).data.readCount).toBe(12);
  expect((await send(stranger, 'd')).data).toEqual({ counted: true });
  const unknown = { essayId: '0'.repeat(32), requestId: 'e' };
  const nowhere = await t.call('POST core/essay/read', unknown, {
    token: stranger.token,
    headers: { 'user-agent': browser() },
  });
  expect(nowhere.status).toBe(404);
});
