import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { removeUsers } from '../../accounts/users/index.ts';
import { checkCounters } from '../../admin/system/index.ts';
import { removeEssaysOf } from '../../content/essays/index.ts';
import { recordReward, removeReward, removeRewardsOfUsers, screenRewardMessage } from './index.ts';

let t: TestApp;
let writer: TestUser;
let reader: TestUser;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '顾薇' });
  essayId = await publishEssay(t, writer, { title: '慢慢写' });
});
afterAll(() => t.close());

const ctx = () => systemCtx(t.app.services);
const giveReward = async (by: TestUser, to = essayId, message = '', amount = 500) => {
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
const listNotices = async ({ token }: TestUser) =>
  (await t.call('GET core/user/notice', { kind: 'reward' }, { token })).data.list;
const replyTrends = async () =>
  (await t.call('GET core/user/trend', { userId: writer.user.id, type: 11 })).data.list;
const expectInStep = async () => expect(await checkCounters(ctx())).toEqual([]);

test('lists and counts rewards, and removes them after a refund', async () => {
  const first = await giveReward(reader, essayId, '谢谢，讲得清楚');
  const second = await giveReward(await t.register());
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

test('the author can reply and edit the reply, and the giver is notified', async () => {
  const orderId = await giveReward(reader, essayId, '请喝茶');
  const id = await newest();
  const { data } = await reply(id, '茶好喝', writer.token);
  expect(data).toMatchObject({ id, reply: '茶好喝', message: '请喝茶', user: { displayName: '顾薇' } });
  expect(await listNotices(reader)).toMatchObject([
    { verb: '回复了你的打赏', excerpt: '茶好喝', target: { title: '慢慢写' } },
  ]);
  await reply(id, '茶很好喝', writer.token);
  expect(await listNotices(reader)).toMatchObject([{ excerpt: '茶很好喝' }]);
  expect(await replyTrends()).toMatchObject([{ verb: '回复打赏于', target: { id: essayId } }]);
  const other = await giveReward(await t.register());
  await reply(await newest(), '也谢谢你', writer.token);
  expect(await replyTrends()).toHaveLength(1);
  await removeReward(ctx(), other);
  expect(await replyTrends()).toHaveLength(1);
  await removeReward(ctx(), orderId);
  expect([await listNotices(reader), await replyTrends()]).toEqual([[], []]);
  expect((await reply(id, '还在吗', writer.token)).status).toBe(404);
  await expectInStep();
});

test('only the author of the essay can reply', async () => {
  await giveReward(reader);
  const id = await newest();
  const stranger = await createWriter(t);
  expect((await reply(id, '谢谢')).status).toBe(401);
  for (const { token } of [reader, stranger]) expect((await reply(id, '谢谢', token)).status).toBe(403);
  expect((await reply(newId(), '谢谢', writer.token)).status).toBe(404);
  for (const text of ['', '   ', '长'.repeat(201)])
    expect((await reply(id, text, writer.token)).status).toBe(422);
  expect((await list()).data.list[0]).toMatchObject({ reply: '', repliedAt: null });
});

test('rejects or masks sensitive words', async () => {
  const { addSensitiveWord } = commentCalls(t);
  await addSensitiveWord('坏词', 'refuse');
  await addSensitiveWord('慢词', 'hold');
  await addSensitiveWord('粗话', 'mask');
  expect(await screenRewardMessage(ctx(), '写得真好')).toBe('写得真好');
  expect(await screenRewardMessage(ctx(), '粗话连篇')).toBe('＊＊连篇');
  for (const message of ['有坏词', '有慢词'])
    await expect(screenRewardMessage(ctx(), message)).rejects.toMatchObject({
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

test('a concurrent reply and refund leave no rows', async () => {
  const orderId = await giveReward(reader);
  const id = await newest();
  await Promise.all([reply(id, '谢谢', writer.token), removeReward(ctx(), orderId)]);
  expect((await list()).data.list.some((each) => each.id === id)).toBe(false);
  await expectInStep();
});

test('removes rewards given by deleted users and for their essays', async () => {
  const leaving = await createWriter(t, '要走的人');
  const theirs = await publishEssay(t, leaving);
  await giveReward(leaving);
  const late = await giveReward(reader, theirs);
  const before = await rewardCount();
  await inTransaction(ctx(), async (ctx) => {
    await removeEssaysOf(ctx, [leaving.user.id]);
    await removeRewardsOfUsers(ctx, [leaving.user.id]);
    await removeUsers(ctx.db, [leaving.user.id]);
  });
  expect(await rewardCount()).toBe(before - 1);
  expect((await list()).data.list.some(({ user }) => user.id === leaving.user.id)).toBe(false);
  // A late payment and a refund after the user was deleted.
  await giveReward(leaving);
  await giveReward(reader, theirs);
  await removeReward(ctx(), late);
  expect(await rewardCount()).toBe(before - 1);
  await expectInStep();
});

test('does not list rewards of essays that are not readable', async () => {
  const hiddenEssay = await publishEssay(t, writer);
  await giveReward(reader, hiddenEssay);
  await t.call('PUT core/essay/status', { id: hiddenEssay, status: 4 }, { token: writer.token });
  expect((await list(hiddenEssay)).status).toBe(404);
  expect((await list(hiddenEssay, {}, writer.token)).data.total).toBe(1);
  await t.call('DELETE core/essay/{id}', { id: hiddenEssay }, { token: writer.token });
  expect((await list(hiddenEssay, {}, writer.token)).status).toBe(410);
  expect((await list(newId())).status).toBe(404);
});
