import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, contentsOf, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { removeUsers } from '../../accounts/users/index.ts';
import { purgeComments } from './index.ts';

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
let author: TestUser;
let reader: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
});
afterAll(() => t.close());

/** Inserts comments directly, with repeating like counts. */
async function insertMany(essayId: string, count: number): Promise<string[]> {
  const { pool } = t.app.services;
  const ids = Array.from({ length: count }, () => newId());
  await pool.query(
    `insert into comments (id, essay_id, user_id, status, content, html, like_count, created_at)
     select id, $2, $3, 0, n::text, '', n % 4, now() from unnest($1::uuid[]) with ordinality as given (id, n)`,
    [ids, essayId, reader.user.id],
  );
  await pool.query('insert into comment_counts values ($1, $2)', [essayId, count]);
  return ids;
}

async function listAllPages(essayId: string, query: object, token?: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data } = await c.list(essayId, token, { ...query, ...(cursor === '' ? {} : { cursor }) });
    found.push(...data.list.map((each) => each.id));
    cursor = data.next;
  }
  return found;
}

test('pages by cursor without duplicates in both orders, pinned comments first', async () => {
  const essayId = await publishEssay(t, author);
  const ids = await insertMany(essayId, 32);
  const pinned = [3, 12, 25].map((at) => ids[at] ?? '');
  await t.app.services.pool.query('update comments set pinned = true where id = any($1::uuid[])', [pinned]);
  const isPinned = (id: string) => Number(pinned.includes(id));
  const likes = (id: string) => (ids.indexOf(id) + 1) % 4;
  const byTime = ids.toSorted((a, b) => isPinned(b) - isPinned(a) || (a < b ? 1 : -1));
  const byLikes = ids.toSorted(
    (a, b) => isPinned(b) - isPinned(a) || likes(b) - likes(a) || (a < b ? 1 : -1),
  );
  for (const pageSize of [1, 7, 100]) {
    expect(await listAllPages(essayId, { pageSize })).toEqual(byTime);
    expect(await listAllPages(essayId, { pageSize, sort: 'hot' }, author.token)).toEqual(byLikes);
  }
  const third = await c.list(essayId, undefined, { page: 3, pageSize: 10 });
  expect(third.data.list.map((each) => each.id)).toEqual(byTime.slice(20, 30));
  expect(third.data.total).toBe(32);

  // The writer sees their own held comment in the list.
  const held = ids[10] ?? '';
  await t.app.services.pool.query('update comments set status = 1 where id = $1', [held]);
  const others = byTime.filter((id) => id !== held);
  for (const pageSize of [7, 100]) {
    expect(await listAllPages(essayId, { pageSize }, reader.token)).toEqual(byTime);
    expect(await listAllPages(essayId, { pageSize, sort: 'hot' }, reader.token)).toEqual(byLikes);
    expect(await listAllPages(essayId, { pageSize }, author.token)).toEqual(others);
  }
  // The inserted like counts have no rows.
  await t.app.services.pool.query('delete from comments where essay_id = $1', [essayId]);
  await t.app.services.pool.query('delete from comment_counts where essay_id = $1', [essayId]);
});

test('includes the first three replies of a comment and lists the rest in order', async () => {
  const essayId = await publishEssay(t, author);
  const { data: one } = await c.addComment(essayId, '一', reader.token);
  const { data: two } = await c.addComment(essayId, '二', reader.token);
  const ids: string[] = [];
  for (let i = 1; i <= 7; i++) ids.push((await c.reply(one.id, `一之${i}`, author.token)).data.id);
  await c.reply(two.id, '二之1', author.token);
  const { list } = (await c.list(essayId)).data;
  expect(list.map((each) => [each.replyCount, contentsOf(each.replies)])).toEqual([
    [1, ['二之1']],
    [7, ['一之1', '一之2', '一之3']],
  ]);
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data } = await c.replies(one.id, undefined, {
      pageSize: 3,
      ...(cursor === '' ? {} : { cursor }),
    });
    expect(data.total).toBe(7);
    found.push(...data.list.map((each) => each.id));
    cursor = data.next;
  }
  expect(found).toEqual(ids);
  expect((await c.replies(ids[0] ?? '')).errorCode).toBe('NOT_FOUND');

  // A link in a notice opens the comment with that reply.
  const asked = (await c.list(essayId, undefined, { id: ids[5] })).data;
  expect(asked).toMatchObject({ total: 1, next: null, list: [{ id: one.id }] });
  expect(contentsOf(asked.list[0]?.replies ?? [])).toEqual(['一之1', '一之2', '一之3', '一之6']);
  expect((await c.list(essayId, undefined, { id: ids[1] })).data.list[0]?.replies).toHaveLength(3);
  expect((await c.list(essayId, undefined, { id: two.id })).data.list).toMatchObject([{ id: two.id }]);
  const elsewhere = await publishEssay(t, author);
  expect((await c.list(elsewhere, undefined, { id: two.id })).errorCode).toBe('NOT_FOUND');
});

test('keeps all counters correct under concurrency', async () => {
  const essayId = await publishEssay(t, author);
  const crowd = await Promise.all(Array.from({ length: 6 }, () => t.register()));
  await c.addSensitiveWord('等一等', 'hold');
  const admin = await t.signInAdmin();
  const roots = await Promise.all(crowd.map(({ token }, i) => c.addComment(essayId, `第 ${i} 条`, token)));
  const ids = roots.map((each) => each.data.id);
  const responses = await Promise.all(
    crowd.flatMap(({ token }, i) =>
      ids.map((id, j) => c.reply(id, i === j ? '等一等' : `${i} 回 ${j}`, token)),
    ),
  );
  expect(responses.every((each) => each.success)).toBe(true);
  const replies = responses.map((each) => each.data);
  const results = await Promise.all(
    crowd.flatMap(({ token }, i) => [
      ...ids.flatMap((id) => [c.like(id, token), c.like(id, token), c.unlike(id, token), c.like(id, token)]),
      c.remove(ids[i] ?? '', token),
      c.edit(ids[i] ?? '', { content: i % 2 === 0 ? '等一等' : '改了' }, token),
      ...replies
        .filter((each, at) => each.user?.id === crowd[i]?.user.id && at % 3 === 0)
        .map((each) => c.removeReply(each.id, token)),
      ...replies
        .filter((each, at) => each.held && at % 2 === i % 2)
        .map((each) => c.moderate(each.id, i % 3 === 0 ? 2 : 0, admin, '理由')),
      c.addComment(essayId, `又一条 ${i}`, token),
      c.reply(ids[(i + 1) % ids.length] ?? '', `再回 ${i}`, token),
      c.list(essayId, token),
    ]),
  );
  expect(results.filter((each) => each.status >= 500)).toEqual([]);
  await expectCorrectCounters(t);
  await Promise.all(replies.map((each) => c.removeReply(each.id, author.token)));
  await expectCorrectCounters(t);
});

test('removes comments, likes and replies to comments of deleted users', async () => {
  const essayId = await publishEssay(t, author);
  const [one, two, three] = [await t.register(), await t.register(), await t.register()];
  const { data: theirs } = await c.addComment(essayId, '要走的人说的', one.token);
  await c.reply(theirs.id, '留下的人回的', two.token);
  const { data: kept } = await c.addComment(essayId, '留下的人说的', two.token);
  await c.reply(kept.id, '要走的人回的', one.token);
  await c.reply(kept.id, '留下的人又回的', three.token);
  await c.like(kept.id, one.token);
  await c.like(kept.id, three.token);
  const { data: place } = await c.addComment(essayId, '只为回复留着', two.token);
  await c.reply(place.id, '要走的人回的', one.token);
  await c.remove(place.id, two.token);
  expect(await c.cmtCount(essayId)).toBe(6);
  await expectCorrectCounters(t);
  await inTransaction(systemCtx(t.app.services), async (ctx) => {
    await purgeComments(ctx, [one.user.id]);
    await removeUsers(ctx.db, [one.user.id]);
  });
  expect(await c.cmtCount(essayId)).toBe(2);
  expect((await c.list(essayId)).data).toMatchObject({
    total: 1,
    list: [{ id: kept.id, likeCount: 1, replyCount: 1 }],
  });
  await expectCorrectCounters(t);
});
