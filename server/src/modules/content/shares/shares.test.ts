import { shareChannels } from '@mozhan/contract/shares.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { makeWriter, publishEssay, submitEssay, type Writer } from '../../../testing/essays.ts';
import { releaseShares } from './index.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let writer: Writer;
beforeAll(async () => {
  t = await startTestApp();
  writer = await makeWriter(t, '林砚');
});
afterAll(() => t.close());

const share = (essayId: string, token: string | undefined, channel = 'link') =>
  t.call('POST core/essay/share', { essayId, channel }, { token });
/** Each browser is another visitor. */
const come = (code: string, browser: string, token?: string) =>
  t.call(
    'POST core/essay/share/read',
    { code },
    { token, headers: { 'user-agent': `Mozilla/5.0 (X11; Linux) ${browser}` } },
  );
const own = (token: string) => t.call('GET core/essay/share', {}, { token });
const countOf = async (essayId: string): Promise<number> => {
  const { rows } = await t.app.services.pool.query('select share_count from essays where id = $1', [essayId]);
  return rows[0].share_count;
};
const trendsOf = async (userId: string, type: number): Promise<number> => {
  const { rows } = await t.app.services.pool.query(
    'select count(*)::int as count from trends where user_id = $1 and type = $2',
    [userId, type],
  );
  return rows[0].count;
};

test('a code that is only shown counts when it is taken along, or when somebody comes by it', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  const prepare = async (channel: string) =>
    (await t.call('POST core/essay/share', { essayId, channel, prepare: true }, { token: reader.token }))
      .data;
  const [poster, wechat] = [await prepare('poster'), await prepare('wechat')];
  expect((await prepare('poster')).code).toBe(poster.code);
  expect(await countOf(essayId)).toBe(0);
  expect((await own(reader.token)).data).toMatchObject({ list: [], total: 0 });
  expect(await trendsOf(reader.user.id, 2)).toBe(0);

  const saved = await Promise.all([1, 2, 3].map(() => share(essayId, reader.token, 'poster')));
  for (const { data } of saved) expect(data.code).toBe(poster.code);
  expect(await countOf(essayId)).toBe(1);
  // Whoever shows it does not share it by looking at it, others do by coming.
  await come(wechat.code, 'Firefox/1', reader.token);
  expect(await countOf(essayId)).toBe(1);
  await Promise.all(['Firefox/2', 'Firefox/3'].map((browser) => come(wechat.code, browser)));
  expect(await countOf(essayId)).toBe(2);
  expect((await own(reader.token)).data.list.map(({ channel, readCount }) => [channel, readCount])).toEqual([
    ['wechat', 2],
    ['poster', 0],
  ]);
  expect(await trendsOf(reader.user.id, 2)).toBe(1);
});

test('a code for each channel, the same whenever one asks, counted once', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => share(essayId, reader.token)));
  expect(first?.data.code).toMatch(/^[0-9A-Za-z]{10}$/);
  expect(first?.data.url).toBe(`http://site.test/essay/detail/${essayId}.html?s=${first?.data.code}`);
  expect(first?.data.qr).toMatch(/^<svg /);
  for (const other of others) expect(other.data).toEqual(first?.data);
  expect(await countOf(essayId)).toBe(1);
  const codes = await Promise.all(shareChannels.map((channel) => share(essayId, reader.token, channel)));
  expect(new Set(codes.map(({ data }) => data.code)).size).toBe(4);
  expect(await countOf(essayId)).toBe(4);
  expect(await trendsOf(reader.user.id, 2)).toBe(1);
  const other = await t.register();
  expect((await share(essayId, other.token)).data.code).not.toBe(first?.data.code);
  const { rows } = await t.app.services.pool.query('select shares from essay_days where essay_id = $1', [
    essayId,
  ]);
  expect(rows).toEqual([{ shares: 5 }]);
});

test('only what is on the shelf, by those who are signed in', async () => {
  const essayId = await publishEssay(t, writer);
  expect((await share(essayId, undefined)).status).toBe(401);
  expect((await share(essayId, writer.token, 'fax')).status).toBe(422);
  expect((await share(newId(), writer.token)).status).toBe(404);
  expect((await share(await submitEssay(t, writer), writer.token)).status).toBe(404);
  const { code } = (await share(essayId, writer.token)).data;
  await t.call('PUT core/essay/status', { id: essayId, status: 4 }, { token: writer.token });
  expect((await share(essayId, writer.token)).status).toBe(404);
  expect((await come(code, 'Firefox')).status).toBe(404);
  expect((await own(writer.token)).data.list[0]).toMatchObject({ code, essay: null, readCount: 0 });
  await t.call('DELETE core/essay/{id}', { id: essayId }, { token: writer.token });
  expect((await share(essayId, writer.token)).status).toBe(410);
  expect((await come(code, 'Firefox')).status).toBe(410);
});

test('a visitor counts once a day, who shared and robots never', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  const { code } = (await share(essayId, reader.token)).data;
  const visits = [...Array.from({ length: 6 }, () => 'Firefox'), 'Chrome', 'Safari'];
  const answers = await Promise.all(visits.map((browser) => come(code, browser)));
  expect(answers.filter(({ data }) => data.counted)).toHaveLength(3);
  expect((await come(code, 'Firefox', reader.token)).data).toEqual({ counted: false });
  expect((await come(code, 'Googlebot/2.1')).data).toEqual({ counted: false });
  expect((await come(code, 'Firefox', writer.token)).data).toEqual({ counted: true });
  expect((await own(reader.token)).data).toMatchObject({
    total: 1,
    list: [{ code, channel: 'link', readCount: 4, essay: { id: essayId } }],
  });
  expect(await trendsOf(reader.user.id, 3)).toBe(1);
  t.advance(86_400_000);
  expect((await come(code, 'Firefox')).data).toEqual({ counted: true });
  expect(await trendsOf(reader.user.id, 3)).toBe(2);
  expect((await come('AAAAAAAAAA', 'Firefox')).status).toBe(404);
  expect((await come('no code', 'Firefox')).status).toBe(422);
});

test('many who come at once are all counted, and told of once', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  const { code } = (await share(essayId, reader.token)).data;
  await Promise.all(Array.from({ length: 20 }, (_, index) => come(code, `Firefox/${index}`)));
  const { rows } = await t.app.services.pool.query(
    `select read_count, (select count(*)::int from share_reads where share_id = shares.id) as visits
     from shares where code = $1`,
    [code],
  );
  expect(rows).toEqual([{ read_count: 20, visits: 20 }]);
  expect(await trendsOf(reader.user.id, 3)).toBe(1);
});

test('a read that brings a code credits who shared; a wrong one disturbs nothing', async () => {
  const essayId = await publishEssay(t, writer);
  const other = await publishEssay(t, writer);
  const reader = await t.register();
  const { code } = (await share(essayId, reader.token)).data;
  const read = (input: object) =>
    t.call('POST core/essay/read', input, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox' } });
  expect((await read({ essayId, shareCode: code })).data).toEqual({ counted: true });
  expect((await read({ essayId, shareCode: code })).data).toEqual({ counted: false });
  for (const shareCode of [code, 'AAAAAAAAAA', '!'])
    expect((await read({ essayId: other, shareCode })).status).toBe(200);
  expect((await own(reader.token)).data.list[0]?.readCount).toBe(1);
});

test('what somebody shared, each essay once, while they let others see it', async () => {
  const reader = await t.register();
  const essays: string[] = [];
  for (let i = 0; i < 3; i++) essays.push(await publishEssay(t, writer));
  for (const essayId of essays) await share(essayId, reader.token);
  await share(essays[0] ?? '', reader.token, 'poster');
  const list = (input: object, token?: string) =>
    t.call('GET core/user/profile/share', { userId: reader.user.id, ...input }, { token });
  const first = await list({ pageSize: 2 });
  expect(first.data).toMatchObject({ total: 3, list: [{ id: essays[2] }, { id: essays[1] }] });
  const next = await list({ pageSize: 2, cursor: first.data.next });
  expect(next.data).toMatchObject({ list: [{ id: essays[0] }], next: null });
  expect((await own(reader.token)).data.total).toBe(4);
  await t.app.services.pool.query(`update users set privacy = '{"share": false}' where id = $1`, [
    reader.user.id,
  ]);
  expect((await list({})).data).toMatchObject({ total: 0, list: [] });
  expect((await list({}, writer.token)).data).toMatchObject({ total: 0, list: [] });
  expect((await list({}, reader.token)).data.total).toBe(3);
  expect((await t.call('GET core/user/profile/share', {}, { token: reader.token })).data.total).toBe(3);
  expect((await t.call('GET core/user/profile/share')).status).toBe(401);
  expect((await t.call('GET core/essay/share')).status).toBe(401);
});

test('visits are forgotten after two days, shares of people who go are taken back', async () => {
  const essayId = await publishEssay(t, writer);
  const [reader, other] = [await t.register(), await t.register()];
  const { code } = (await share(essayId, reader.token)).data;
  await share(essayId, reader.token, 'weibo');
  await share(essayId, other.token);
  await come(code, 'Firefox');
  t.advance(3 * 86_400_000);
  const ctx = systemCtx(t.app.services);
  await jobs['forget-share-reads']?.(ctx, {});
  const { rows } = await t.app.services.pool.query('select count(*)::int as count from share_reads');
  expect(rows).toEqual([{ count: 0 }]);
  await inTx(ctx, (ctx) => releaseShares(ctx, [reader.user.id]));
  expect(await countOf(essayId)).toBe(1);
  expect((await own(reader.token)).data.total).toBe(0);
});

test('a site that does not know its address leads to where it is mounted', async () => {
  const homeless = await startTestApp({ beside: t, config: { siteUrl: null, basePath: '/mo' } });
  const essayId = await publishEssay(t, writer);
  const { token } = await t.register();
  const made = await homeless.call('POST core/essay/share', { essayId, channel: 'link' }, { token });
  expect(made.data.url).toBe(`/mo/essay/detail/${essayId}.html?s=${made.data.code}`);
  const listed = await homeless.call('GET core/essay/share', {}, { token });
  expect(listed.data.list.map((each) => each.url)).toEqual([made.data.url]);
  await homeless.close();
});
