import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { highlightCalls, reviseEssay } from '../../../testing/highlights.ts';
import { createStaffWithRole } from '../../../testing/staff.ts';
import { insertPurchase, removePurchase } from './index.ts';

let t: TestApp;
let h: ReturnType<typeof highlightCalls>;
let author: TestUser;
let reader: TestUser;
let other: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  h = highlightCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
});
afterAll(() => t.close());

const TEXT = '夜里三点，告警响了。屏幕上只有一行日志。\n\n你顺着它往回读，读到 **昨天** 的提交。\n';
const publish = (content = TEXT) => publishEssay(t, author, { content });

const PAID = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} 段，说一件事情。`).join('\n\n');
const publishPaid = () => publishEssay(t, author, { content: PAID, price: 500, previewPercent: 30 });
const FREE_WORDS = '第 2 段，说一件事情。';
const LOCKED_WORDS = '第 18 段，说一件事情。';

test('stores the words of the text, with their position and context', async () => {
  const essayId = await publish();
  const { data } = await h.add(essayId, '日志。 你顺着它往回读，读到昨天', reader.token, { color: 'blue' });
  expect(data).toMatchObject({
    essay: { id: essayId, title: expect.any(String) },
    color: 'blue',
    quote: '日志。\n你顺着它往回读，读到 昨天',
    exact: '日志。\n你顺着它往回读，读到 昨天',
    state: 'found',
    start: 17,
    end: 32,
    note: '',
    thought: null,
  });
  const { data: marks } = await h.marks(essayId, reader.token);
  expect(marks).toEqual({ mine: [data], passages: [] });
  expect((await t.call('GET core/essay/{id}', { id: essayId }, reader)).data.mine.highlights).toBe(1);
  expect((await t.call('GET core/essay/{id}', { id: essayId }, other)).data.mine.highlights).toBe(0);
});

test('chooses the occurrence with the given context', async () => {
  const essayId = await publish('风来了。雨来了。\n\n云来了。\n');
  const { data } = await h.add(essayId, '来了', reader.token, { prefix: '云', suffix: '。', start: 1 });
  expect(data).toMatchObject({ start: 9, end: 11 });
  expect((await h.add(essayId, '来了', reader.token, { start: 5 })).data).toMatchObject({ start: 5 });
});

test('the same passage is stored once, also by concurrent requests', async () => {
  const essayId = await publish();
  const all = await Promise.all(
    Array.from({ length: 5 }, () => h.add(essayId, '告警响了', reader.token, { color: 'green' })),
  );
  expect(new Set(all.map(({ data }) => data.id)).size).toBe(1);
  const again = await h.add(essayId, '告警响了', reader.token, { color: 'pink', note: '半夜' });
  expect(again.data).toMatchObject({ id: all[0]?.data.id, color: 'pink', note: '半夜' });
  expect((await h.essays(reader.token)).data.list[0]).toMatchObject({ essay: { id: essayId }, count: 1 });
});

test('rejects words that are not in the text, empty and too long ones', async () => {
  const essayId = await publish();
  const codes = [
    await h.add(essayId, '文中没有的话', reader.token),
    await h.add(essayId, ' \n ', reader.token),
    await h.add(essayId, '长'.repeat(1001), reader.token),
    await h.add(essayId, '告警', reader.token, { color: 'black' as 'pink' }),
    await h.add('0'.repeat(32), '告警', reader.token),
    await h.add(await submitEssay(t, author, { content: TEXT }), '告警', author.token),
    await h.add(await submitEssay(t, author, { content: TEXT }), '告警', reader.token),
  ].map(({ errorCode }) => errorCode);
  expect(codes).toEqual([
    'QUOTE_NOT_FOUND',
    'INVALID',
    'INVALID',
    'INVALID',
    'NOT_FOUND',
    'QUOTE_NOT_FOUND',
    'NOT_FOUND',
  ]);
  expect((await h.marks(essayId, reader.token)).data.mine).toEqual([]);
});

test('highlights belong to their reader: visitors, others and staff see and change none of them', async () => {
  const essayId = await publish();
  const { data } = await h.add(essayId, '告警响了', reader.token, { note: '只给自己看' });
  const staff = await createStaffWithRole(t, 'operator');
  for (const token of [undefined, other.token, author.token, staff.token]) {
    const code = token === undefined ? 'SIGN_IN_REQUIRED' : 'NOT_FOUND';
    expect((await h.update(data.id, { note: '改' }, token)).errorCode).toBe(code);
    expect((await h.remove(data.id, token)).errorCode).toBe(code);
    expect((await h.marks(essayId, token)).data).toEqual({ mine: [], passages: [] });
    if (token !== undefined) expect((await h.list(token)).data.list).toEqual([]);
  }
  expect((await h.list()).errorCode).toBe('SIGN_IN_REQUIRED');
  expect((await h.essays()).errorCode).toBe('SIGN_IN_REQUIRED');
  expect((await h.add(essayId, '告警')).errorCode).toBe('SIGN_IN_REQUIRED');
  expect((await h.marks(essayId, reader.token)).data.mine).toEqual([data]);
});

test('lists own highlights by essay, colour and keyword, with a cursor', async () => {
  const { token } = await t.register();
  const [first, second] = [await publish(), await publish()];
  await h.add(first, '夜里三点', token, { color: 'green', note: '值班的夜' });
  await h.add(first, '一行日志', token, { color: 'pink' });
  await h.add(second, '往回读', token, { color: 'pink' });
  const quotes = async (more: object) => (await h.list(token, more)).data.list.map(({ quote }) => quote);
  expect(await quotes({})).toEqual(['往回读', '一行日志', '夜里三点']);
  expect(await quotes({ essayId: first })).toEqual(['一行日志', '夜里三点']);
  expect(await quotes({ color: 'pink' })).toEqual(['往回读', '一行日志']);
  expect(await quotes({ keyword: '值班' })).toEqual(['夜里三点']);
  expect(await quotes({ keyword: '日志', color: 'pink' })).toEqual(['一行日志']);
  expect(await quotes({ keyword: '%' })).toEqual([]);
  const { data: page } = await h.list(token, { pageSize: 2 });
  expect(page).toMatchObject({ total: 3 });
  expect(await quotes({ pageSize: 2, cursor: page.next })).toEqual(['夜里三点']);
  expect((await h.essays(token)).data).toMatchObject({
    total: 2,
    list: [
      { essay: { id: second }, count: 1 },
      { essay: { id: first }, count: 2 },
    ],
  });
});

test('changes colour and thought, and removes', async () => {
  const { token } = await t.register();
  const essayId = await publish();
  const { data } = await h.add(essayId, '告警响了', token);
  expect((await h.update(data.id, { color: 'blue', note: ' 想一想 ' }, token)).data).toMatchObject({
    color: 'blue',
    note: '想一想',
    quote: '告警响了',
  });
  expect((await h.update(data.id, { note: '长'.repeat(2001) }, token)).errorCode).toBe('INVALID');
  expect((await h.remove(data.id, token)).success).toBe(true);
  expect((await h.remove(data.id, token)).errorCode).toBe('NOT_FOUND');
  expect((await h.list(token)).data.list).toEqual([]);
  expect((await h.essays(token)).data).toMatchObject({ total: 0, list: [] });
});

test('an essay takes a limited number of highlights of one reader', async () => {
  const { token, user } = await t.register();
  const essayId = await publish();
  await h.add(essayId, '告警响了', token);
  await t.app.services.pool.query(
    'update highlighted_essays set count = 500 where user_id = $1 and essay_id = $2',
    [user.id, essayId],
  );
  expect((await h.add(essayId, '夜里三点', token)).errorCode).toBe('TOO_MANY_HIGHLIGHTS');
  expect((await h.add(essayId, '告警响了', token, { color: 'pink' })).success).toBe(true);
  expect((await h.list(token)).data.list).toHaveLength(1);
});

test('locked text is highlighted only by those who may read it, who keep their words later', async () => {
  const essayId = await publishPaid();
  const buyer = await t.register();
  expect((await h.add(essayId, FREE_WORDS, buyer.token)).success).toBe(true);
  expect((await h.add(essayId, LOCKED_WORDS, buyer.token)).errorCode).toBe('QUOTE_NOT_FOUND');
  const ctx = systemCtx(t.app.services);
  const purchase = { userId: buyer.user.id, targetId: essayId, kind: 'essay', orderId: essayId } as const;
  await insertPurchase(ctx.db, { ...purchase, createdAt: new Date() });
  expect((await h.add(essayId, LOCKED_WORDS, buyer.token)).data).toMatchObject({ quote: LOCKED_WORDS });
  await removePurchase(ctx.db, purchase.orderId, buyer.user.id);
  expect((await h.list(buyer.token, { essayId })).data.list.map(({ quote }) => quote)).toEqual([
    LOCKED_WORDS,
    FREE_WORDS,
  ]);
  expect((await h.add(essayId, '第 19 段', buyer.token)).errorCode).toBe('QUOTE_NOT_FOUND');
});

test('revised words of locked text are not shown to a reader who may no longer read it', async () => {
  const locked = '藏在后面的那句话，只有买过的人读得到，事情是这样的。';
  const revised = locked.replace('事情', '秘密');
  const content = `${PAID}\n\n${locked}`;
  const essayId = await publishEssay(t, author, { content, price: 500, previewPercent: 30 });
  const buyer = await t.register();
  const { db } = systemCtx(t.app.services);
  const purchase = { userId: buyer.user.id, targetId: essayId, kind: 'essay', orderId: essayId } as const;
  await insertPurchase(db, { ...purchase, createdAt: new Date() });
  const { id } = (await h.add(essayId, locked, buyer.token)).data;
  await reviseEssay(t, author, essayId, { content: content.replace(locked, revised) });
  await h.anchor(essayId);
  const mine = async () => (await h.marks(essayId, buyer.token)).data.mine;
  expect(await mine()).toMatchObject([{ quote: locked, exact: revised, state: 'moved' }]);
  expect((await h.update(id, { color: 'pink' }, buyer.token)).data).toMatchObject({ exact: revised });
  await removePurchase(db, purchase.orderId, buyer.user.id);
  const words = { quote: locked, exact: locked };
  expect(await mine()).toMatchObject([words]);
  expect((await h.list(buyer.token, { essayId })).data.list).toMatchObject([words]);
  expect((await h.update(id, { color: 'blue' }, buyer.token)).data).toMatchObject(words);
  const { data } = await t.call('PUT core/essay/highlight', { id, note: '记一笔' }, buyer);
  expect(JSON.stringify(data)).not.toContain('秘密');
});

test('words that stand where removed ones were can be highlighted', async () => {
  const { token } = await t.register();
  const essayId = await publish('开头一句。\n\n春天到了花就开。\n');
  await h.add(essayId, '春天到了', token);
  await reviseEssay(t, author, essayId, { content: '开头一句。\n\n大雪封山路难行。\n' });
  await h.anchor(essayId);
  const { data } = await h.add(essayId, '大雪封山', token);
  expect(data).toMatchObject({ quote: '大雪封山', state: 'found' });
  const { data: mine } = await h.list(token, { essayId });
  expect(mine.list.map(({ quote, state }) => [quote, state])).toEqual([
    ['大雪封山', 'found'],
    ['春天到了', 'orphaned'],
  ]);
});

test('after a revision a highlight is found, moved or orphaned, and keeps its words', async () => {
  const { token } = await t.register();
  const essayId = await publish(
    '开头一句。\n\n第一段要说的话在这里。\n\n第二段会被删掉不见了。\n\n第三段会改几个字的话。\n',
  );
  for (const exact of ['开头一句', '第一段要说的话在这里', '第二段会被删掉不见了', '第三段会改几个字的话'])
    await h.add(essayId, exact, token);
  await reviseEssay(t, author, essayId, {
    content: '开头一句。\n\n新加了一段话。\n\n第一段要说的话在这里。\n\n第三段改了几个字的话。\n',
  });
  await h.anchor(essayId);
  const { data } = await h.list(token, { essayId });
  expect(data.list.reverse()).toMatchObject([
    { quote: '开头一句', exact: '开头一句', state: 'found', start: 0, end: 4 },
    { quote: '第一段要说的话在这里', state: 'moved', start: 12, end: 22 },
    { quote: '第二段会被删掉不见了', exact: '第二段会被删掉不见了', state: 'orphaned' },
    { quote: '第三段会改几个字的话', exact: '第三段改了几个字的话', state: 'moved' },
  ]);
  await reviseEssay(t, author, essayId, { content: '开头一句。\n\n第二段会被删掉不见了。\n' });
  await h.anchor(essayId);
  const { data: later } = await h.list(token, { essayId });
  expect(later.list.reverse().map(({ quote, state }) => [quote, state])).toEqual([
    ['开头一句', 'found'],
    ['第一段要说的话在这里', 'orphaned'],
    ['第二段会被删掉不见了', 'moved'],
    ['第三段会改几个字的话', 'orphaned'],
  ]);
});

test('shows sentences that at least three readers highlighted, without names', async () => {
  const essayId = await publish();
  const readers = [await t.register(), await t.register(), await t.register()];
  for (const { token } of readers) await h.add(essayId, '屏幕上只有一行日志', token);
  await h.add(essayId, '夜里三点', readers[0]?.token);
  await h.add(essayId, '屏幕上只有一行', readers[0]?.token);
  await h.anchor(essayId);
  const { data } = await h.marks(essayId);
  expect(data).toEqual({
    mine: [],
    passages: [{ start: 10, end: 20, opening: '屏幕上只有一行日', readers: 3, thoughts: 0 }],
  });
  expect((await t.call('GET core/essay/{id}', { id: essayId })).data.hasPassages).toBe(true);
  const [first] = (await h.list(readers[2]?.token)).data.list;
  await h.remove(first?.id ?? '', readers[2]?.token);
  await h.anchor(essayId);
  expect((await h.marks(essayId)).data.passages).toEqual([]);
  expect((await t.call('GET core/essay/{id}', { id: essayId })).data.hasPassages).toBe(false);
});

test('passages of locked text are shown only to those who may read it', async () => {
  const essayId = await publishPaid();
  const ctx = systemCtx(t.app.services);
  for (let count = 0; count < 3; count += 1) {
    const { token, user } = await t.register();
    const purchase = { userId: user.id, targetId: essayId, kind: 'essay', orderId: user.id } as const;
    await insertPurchase(ctx.db, { ...purchase, createdAt: new Date() });
    await h.add(essayId, FREE_WORDS, token);
    await h.add(essayId, LOCKED_WORDS, token);
  }
  await h.anchor(essayId);
  const openings = async (token?: string) =>
    (await h.marks(essayId, token)).data.passages.map(({ opening }) => opening);
  expect(await openings()).toEqual(['第2段，说一件事']);
  expect(await openings(other.token)).toEqual(['第2段，说一件事']);
  expect(await openings(author.token)).toEqual(['第2段，说一件事', '第18段，说一件']);
});

test('shows no passages of an essay that became paid until those of its new text are counted', async () => {
  const essayId = await publish(PAID);
  for (let count = 0; count < 3; count += 1) {
    const { token } = await t.register();
    for (const words of [FREE_WORDS, LOCKED_WORDS]) await h.add(essayId, words, token);
  }
  await h.anchor(essayId);
  const openings = async () => (await h.marks(essayId)).data.passages.map(({ opening }) => opening);
  expect(await openings()).toEqual(['第2段，说一件事', '第18段，说一件']);
  await reviseEssay(t, author, essayId, { price: 500, previewPercent: 30 });
  expect(await openings()).toEqual([]);
  await h.anchor(essayId);
  expect(await openings()).toEqual(['第2段，说一件事']);
});

test('ten thousand highlights are counted and found again in a new text, in batches', async () => {
  const wordsOf = (index: number) => createHash('md5').update(String(index)).digest('hex');
  const sentences = Array.from({ length: 200 }, (_, index) => `${wordsOf(index)}。`);
  const essayId = await publish(sentences.join('\n\n'));
  await t.app.services.pool.query(
    `insert into highlights (id, user_id, essay_id, color, quote, exact, prefix, suffix, start_at, end_at, locked,
        created_at, updated_at)
      select gen_random_uuid(), $1, $2, 'yellow', words, words, '', '', 0, length(words), false, now(), now()
      from (select md5((number % 200)::text) as words from generate_series(1, 10000) as number) as each`,
    [reader.user.id, essayId],
  );
  await h.add(essayId, wordsOf(7), other.token);
  await reviseEssay(t, author, essayId, { content: `新的开头。\n\n${sentences.slice(0, 100).join('\n\n')}` });
  await h.anchor(essayId);
  const { rows } = await t.app.services.pool.query(
    'select state, count(*)::int from highlights where essay_id = $1 group by state order by state',
    [essayId],
  );
  expect(rows).toEqual([
    { state: 'moved', count: 5001 },
    { state: 'orphaned', count: 5000 },
  ]);
  const { data } = await h.marks(essayId);
  expect(data.passages.length).toBeLessThanOrEqual(60);
});

test('erases the highlights with the account', async () => {
  const leaving = await t.register();
  const essayId = await publish();
  await h.add(essayId, '告警响了', leaving.token, { note: '走之前' });
  const { id, ...viewer } = leaving.user;
  await t.app.services.eraseUser(systemCtx(t.app.services), {
    ...viewer,
    id,
    sessionId: '',
    isStaff: false,
    isSuper: false,
    permissions: [],
    mustChangePassword: false,
  });
  for (const table of ['highlights', 'highlighted_essays']) {
    const { rows } = await t.app.services.pool.query(`select 1 from ${table} where user_id = $1`, [id]);
    expect(rows).toEqual([]);
  }
});
