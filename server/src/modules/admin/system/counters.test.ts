import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { checkCounters } from './counters.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const AGENT = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};
const check = () => checkCounters(systemCtx(t.app.services));

let essayId: string;
let commentId: string;

test('all counters match their rows after concurrent actions that are partly undone', async () => {
  const writers = [await createWriter(t), await createWriter(t)] as const;
  const column = await t.call('POST core/essay/column', { name: '专栏' }, { token: writers[0].token });
  const essays = [
    await publishEssay(t, writers[0], { tags: ['计数', '并发'], columnId: column.data.id }),
    await publishEssay(t, writers[0], { tags: ['计数'] }),
    await publishEssay(t, writers[1]),
  ];
  essayId = essays[0] ?? '';
  const readers = await Promise.all(Array.from({ length: 6 }, () => t.register()));
  const comments: { id: string; token: string }[] = [];
  const calls = readers.flatMap(({ token, user }, i) => [
    ...writers.map((writer) => () => t.call('POST core/essay/follow', { userId: writer.user.id }, { token })),
    () => t.call('DELETE core/essay/follow', { userId: writers[i % 2 === 0 ? 0 : 1].user.id }, { token }),
    () => t.call('POST core/essay/follow', { userId: readers[(i + 1) % 6]?.user.id }, { token }),
    ...essays.flatMap((essayId) => [
      () => t.call('POST core/essay/read', { essayId }, { token, headers: AGENT }),
      () => t.call('POST core/essay/like', { essayId }, { token }),
      () => t.call('POST core/essay/like', { essayId }, { token }),
      () => t.call('POST core/essay/collect', { essayId }, { token }),
      () => t.call('POST core/essay/share', { essayId, channel: 'link' }, { token }),
      async () => {
        const { data } = await t.call(
          'POST core/essay/cmt',
          { essayId, content: `说 ${user.account}` },
          { token },
        );
        comments.push({ id: data.id, token });
      },
    ]),
    () => t.call('DELETE core/essay/like', { essayId: essays[i % 3] }, { token }),
    () => t.call('DELETE core/essay/collect', { essayId: essays[i % 3] }, { token }),
  ]);
  const responses = await Promise.all(calls.map((each) => each()));
  expect(responses.flatMap((each) => each?.errorMessage ?? [])).toEqual([]);
  await Promise.all(
    comments.flatMap(({ id, token }, i) => [
      t.call(
        'POST core/essay/cmt/reply',
        { cmtId: id, content: '也说一句' },
        { token: readers[i % 6]?.token },
      ),
      t.call('POST core/essay/cmt/like', { id }, { token: readers[(i + 2) % 6]?.token }),
      t.call('POST core/essay/cmt/like', { id }, { token: writers[0].token }),
      ...(i % 3 === 0 ? [t.call('DELETE core/essay/cmt', { id }, { token })] : []),
    ]),
  );
  commentId = comments[1]?.id ?? '';
  await t.call('PUT core/user/notice', { all: true }, { token: writers[1].token });
  await t.call('DELETE core/essay/{id}', { id: essays[1] }, { token: writers[0].token });
  const [{ likes }] = (await t.query('select count(*)::int as likes from essay_likes')) as [
    { likes: number },
  ];
  expect(likes).toBeGreaterThan(0);
  expect(await check()).toEqual([]);
});

test('reports a wrong counter with its expected value', async () => {
  const wrong: [string, string, string][] = [
    ['essays.like_count', 'update essays set like_count = like_count + 7 where id = $1', essayId],
    ['comments.reply_count', 'update comments set reply_count = reply_count + 7 where id = $1', commentId],
    ['tags.essay_count', 'update tags set essay_count = essay_count + 7 where name = $1', '并发'],
    ['essay_counts.count', 'update essay_counts set count = count + 7 where key = $1', ''],
  ];
  for (const [counter, change, id] of wrong) {
    await t.query(change, [id]);
    const reported = (await check()).filter((each) => each.counter === counter);
    expect(reported, counter).toEqual([
      { counter, id, expected: expect.any(Number), found: expect.any(Number) },
    ]);
    expect((reported[0]?.found ?? 0) - (reported[0]?.expected ?? 0)).toBe(7);
    await t.query(change.replace('+ 7', '- 7'), [id]);
  }
  expect(await check()).toEqual([]);
});

test('reports a missing counter, and one that is smaller than its remaining rows', async () => {
  await t.query('delete from comment_counts where essay_id = $1', [essayId]);
  await t.query('update essays set read_count = 0 where id = $1', [essayId]);
  const reported = (await check()).map(({ counter, id }) => `${counter} ${id}`);
  expect(reported).toContain(`comment_counts.count ${essayId}`);
  expect(reported).toContain(`essays.read_count ${essayId}`);
});
