import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { talk } from '../../../testing/comments.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { removeUsers } from '../../accounts/users/index.ts';
import { checkCounters } from '../../admin/system/index.ts';
import { removeEssaysOf } from '../../content/essays/index.ts';
import { checkRewardMessage, recordReward, releaseRewards, removeReward } from './index.ts';

let t: TestApp;
let writer: Writer;
let reader: Writer;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp();
  writer = await makeWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '顾薇' });
  essayId = await publishEssay(t, writer, { title: '慢慢写' });
});
afterAll(() => t.close());

const ctx = () => systemCtx(t.app.services);
const give = async (by: Writer, to = essayId, message = '', amount = 500) => {
  const orderId = newId();
  await recordReward(ctx(), { orderId, userId: by.user.id, essayId: to, amount, message });
  return orderId;
};
const list = (id = essayId, input: object = {}, token?: string) =>
  t.call('GET core/essay/reward', { essayId: id, ...input }, { token });
const reply = (id: string, text: string, token?: string) =>
  t.call('PUT core/essay/reward', { id, reply: text }, { token });
const newest = async () => (await list()).data.list[0]?.id ?? '';
const rewardCount = async (id = essayId) => (await t.call('GET core/essay/{id}', { id })).data.rewardCount;
const told = async ({ token }: Writer) =>
  (await t.call('GET core/user/notice', { kind: 'reward' }, { token })).data.list;
const replyTrends = async () =>
  (await t.call('GET core/user/trend', { userId: writer.user.id, type: 11 })).data.list;
const expectInStep = async () => expect(await checkCounters(ctx())).toEqual([]);

test('what was given for an essay is listed, newest first, counted once, and gone when it is paid back', async () => {
  const first = await give(reader, essayId, '谢谢，讲得清楚');
  const second = await give(await t.register());
  await Promise.all(
    [1, 2, 3].map(() =>
      recordReward(ctx(), { orderId: second, userId: reader.user.id, essayId, amount: 500, message: '' }),
    ),
  );
  const { data } = await list();
  expect(data).toMatchObject({
    total: 2,
    list: [{ message: '' }, { amount: 500, message: '谢谢，讲得清楚', reply: '' }],
  });
  expect(data.list[1]?.user.id).toBe(reader.user.id);
  expect(await rewardCount()).toBe(2);
  const { data: page } = await list(essayId, { pageSize: 1 });
  expect((await list(essayId, { pageSize: 1, cursor: page.next })).data.list).toEqual([data.list[1]]);
  await Promise.all([1, 2].map(() => removeReward(ctx(), first)));
  await removeReward(ctx(), second);
  expect((await list()).data).toMatchObject({ total: 0, list: [] });
  expect(await rewardCount()).toBe(0);
  await expectInStep();
});

test('the author answers, and whoever gave hears of it; writing once more changes it', async () => {
  const orderId = await give(reader, essayId, '请喝茶');
  const id = await newest();
  const { data } = await reply(id, '茶好喝', writer.token);
  expect(data).toMatchObject({ id, reply: '茶好喝', message: '请喝茶', user: { displayName: '顾薇' } });
  expect(await told(reader)).toMatchObject([
    { verb: '回复了你的打赏', excerpt: '茶好喝', target: { title: '慢慢写' } },
  ]);
  await reply(id, '茶很好喝', writer.token);
  expect(await told(reader)).toMatchObject([{ excerpt: '茶很好喝' }]);
  expect(await replyTrends()).toMatchObject([{ verb: '回复打赏于', target: { id: essayId } }]);
  const other = await give(await t.register());
  await reply(await newest(), '也谢谢你', writer.token);
  expect(await replyTrends()).toHaveLength(1);
  await removeReward(ctx(), other);
  expect(await replyTrends()).toHaveLength(1);
  await removeReward(ctx(), orderId);
  expect([await told(reader), await replyTrends()]).toEqual([[], []]);
  expect((await reply(id, '还在吗', writer.token)).status).toBe(404);
  await expectInStep();
});

test('only the author of the essay answers', async () => {
  await give(reader);
  const id = await newest();
  const stranger = await makeWriter(t);
  expect((await reply(id, '谢谢')).status).toBe(401);
  for (const { token } of [reader, stranger]) expect((await reply(id, '谢谢', token)).status).toBe(403);
  expect((await reply(newId(), '谢谢', writer.token)).status).toBe(404);
  for (const text of ['', '   ', '长'.repeat(201)])
    expect((await reply(id, text, writer.token)).status).toBe(422);
  expect((await list()).data.list[0]).toMatchObject({ reply: '', repliedAt: null });
});

test('words: refused, masked, and refused where a comment would be held', async () => {
  const { addWord } = talk(t);
  await addWord('坏词', 'refuse');
  await addWord('慢词', 'hold');
  await addWord('粗话', 'mask');
  expect(await checkRewardMessage(ctx(), '写得真好')).toBe('写得真好');
  expect(await checkRewardMessage(ctx(), '粗话连篇')).toBe('＊＊连篇');
  for (const message of ['有坏词', '有慢词'])
    await expect(checkRewardMessage(ctx(), message)).rejects.toMatchObject({
      code: 'WORDS_REFUSED',
      fields: { message: expect.stringContaining('词') },
    });
  const id = await newest();
  const refused = await reply(id, '有坏词', writer.token);
  expect([refused.status, refused.errorCode, Object.keys(refused.fields ?? {})]).toEqual([
    422,
    'WORDS_REFUSED',
    ['reply'],
  ]);
  expect((await reply(id, '谢谢，粗话', writer.token)).data.reply).toBe('谢谢，＊＊');
});

test('an answer and a refund at the same moment leave nothing behind', async () => {
  const orderId = await give(reader);
  const id = await newest();
  await Promise.all([reply(id, '谢谢', writer.token), removeReward(ctx(), orderId)]);
  expect((await list()).data.list.some((each) => each.id === id)).toBe(false);
  await expectInStep();
});

test('rewards of people who leave go with them, and those of what they wrote', async () => {
  const leaving = await makeWriter(t, '要走的人');
  const theirs = await publishEssay(t, leaving);
  await give(leaving);
  const late = await give(reader, theirs);
  const before = await rewardCount();
  await inTx(ctx(), async (ctx) => {
    await removeEssaysOf(ctx, [leaving.user.id]);
    await releaseRewards(ctx, [leaving.user.id]);
    await removeUsers(ctx.db, [leaving.user.id]);
  });
  expect(await rewardCount()).toBe(before - 1);
  expect((await list()).data.list.some(({ user }) => user.id === leaving.user.id)).toBe(false);
  // A payment that comes after they left, and a refund.
  await give(leaving);
  await give(reader, theirs);
  await removeReward(ctx(), late);
  expect(await rewardCount()).toBe(before - 1);
  await expectInStep();
});

test('of what nobody may see nothing is listed', async () => {
  const gone = await publishEssay(t, writer);
  await give(reader, gone);
  await t.call('PUT core/essay/status', { id: gone, status: 4 }, { token: writer.token });
  expect((await list(gone)).status).toBe(404);
  expect((await list(gone, {}, writer.token)).data.total).toBe(1);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: writer.token });
  expect((await list(gone, {}, writer.token)).status).toBe(410);
  expect((await list(newId())).status).toBe(404);
});
