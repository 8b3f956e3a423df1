import { shareChannels } from '@mozhan/contract/shares.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { purgeShares } from './index.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
});
afterAll(() => t.close());

const share = (essayId: string, token: string | undefined, channel = 'link') =>
  t.call('POST core/essay/share', { essayId, channel }, { token });
/** Each user agent counts as another visitor. */
const visit = (code: string, browser: string, token?: string) =>
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

test('counts a prepared code when it is shared or when somebody visits by it', async () => {
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
  // A visit by the sharer does not count, a visit by others does.
  await visit(wechat.code, 'Firefox/1', reader.token);
  expect(await countOf(essayId)).toBe(1);
  await Promise.all(['Firefox/2', 'Firefox/3'].map((browser) => visit(wechat.code, browser)));
  expect(await countOf(essayId)).toBe(2);
  expect((await own(reader.token)).data.list.map(({ channel, readCount }) => [channel, readCount])).toEqual([
    ['wechat', 2],
    ['poster', 0],
  ]);
  expect(await trendsOf(reader.user.id, 2)).toBe(1);
});

test('returns a stable code per channel and counts it once', async () => {
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

test('requires a session and an essay on the shelf', async () => {
  const essayId = await publishEssay(t, writer);
  expect((await share(essayId, undefined)).status).toBe(401);
  expect((await share(essayId, writer.token, 'fax')).status).toBe(422);
  expect((await share(newId(), writer.token)).status).toBe(404);
  expect((await share(await submitEssay(t, writer), writer.token)).status).toBe(404);
  const { code } = (await share(essayId, writer.token)).data;
  await t.call('PUT core/essay/status', { id: essayId, status: 4 }, { token: writer.token });
  expect((await share(essayId, writer.token)).status).toBe(404);
  expect((await visit(code, 'Firefox')).status).toBe(404);
  expect((await own(writer.token)).data.list[0]).toMatchObject({ code, essay: null, readCount: 0 });
  await t.call('DELETE core/essay/{id}', { id: essayId }, { token: writer.token });
  expect((await share(essayId, writer.token)).status).toBe(410);
  expect((await visit(code, 'Firefox')).status).toBe(410);
});

test('counts a visitor once a day, never the sharer or robots', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  const { code } = (await share(essayId, reader.token)).data;
  const visits = [...Array.from({ length: 6 }, () => 'Firefox'), 'Chrome', 'Safari'];
  const responses = await Promise.all(visits.map((browser) => visit(code, browser)));
  expect(responses.filter(({ data }) => data.counted)).toHaveLength(3);
  expect((await visit(code, 'Firefox', reader.token)).data).toEqual({ counted: false });
  expect((await visit(code, 'Googlebot/2.1')).data).toEqual({ counted: false });
  expect((await visit(code, 'Firefox', writer.token)).data).toEqual({ counted: true });
  expect((await own(reader.token)).data).toMatchObject({
    total: 1,
    list: [{ code, channel: 'link', readCount: 4, essay: { id: essayId } }],
  });
  expect(await trendsOf(reader.user.id, 3)).toBe(1);
  t.advance(86_400_000);
  expect((await visit(code, 'Firefox')).data).toEqual({ counted: true });
  expect(await trendsOf(reader.user.id, 3)).toBe(2);
  expect((await visit('AAAAAAAAAA', 'Firefox')).status).toBe(404);
  expect((await visit('no code', 'Firefox')).status).toBe(422);
});

test('counts all concurrent visitors and records one trend', async () => {
  const essayId = await publishEssay(t, writer);
  const reader = await t.register();
  const { code } = (await share(essayId, reader.token)).data;
  await Promise.all(Array.from({ length: 20 }, (_, index) => visit(code, `Firefox/${index}`)));
  const { rows } = await t.app.services.pool.query(
    `select read_count, (select count(*)::int from share_reads where share_id = shares.id) as visits
     from shares where code = $1`,
    [code],
  );
  expect(rows).toEqual([{ read_count: 20, visits: 20 }]);
  expect(await trendsOf(reader.user.id, 3)).toBe(1);
});

test('counts a visit for a read with a code, and ignores an invalid code', async () => {
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

test('lists each shared essay once, if the privacy setting allows it', async () => {
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

test('deletes visits after two days, and shares of deleted users', async () => {
  const essayId = await publishEssay(t, writer);
  const [reader, other] = [await t.register(), await t.register()];
  const { code } = (await share(essayId, reader.token)).data;
  await share(essayId, reader.token, 'weibo');
  await share(essayId, other.token);
  await visit(code, 'Firefox');
  t.advance(3 * 86_400_000);
  const ctx = systemCtx(t.app.services);
  await jobs['forget-share-reads']?.(ctx, {});
  const { rows } = await t.app.services.pool.query('select count(*)::int as count from share_reads');
  expect(rows).toEqual([{ count: 0 }]);
  await inTransaction(ctx, (ctx) => purgeShares(ctx, [reader.user.id]));
  expect(await countOf(essayId)).toBe(1);
  expect((await own(reader.token)).data.total).toBe(0);
});

test('uses the base path if the site URL is not configured', async () => {
  const appWithoutSiteUrl = await startTestApp({
    sameDatabaseAs: t,
    config: { siteUrl: null, basePath: '/mo' },
  });
  const essayId = await publishEssay(t, writer);
  const { token } = await t.register();
  const made = await appWithoutSiteUrl.call('POST core/essay/share', { essayId, channel: 'link' }, { token });
  expect(made.data.url).toBe(`/mo/essay/detail/${essayId}.html?s=${made.data.code}`);
  const listed = await appWithoutSiteUrl.call('GET core/essay/share', {}, { token });
  expect(listed.data.list.map((each) => each.url)).toEqual([made.data.url]);
  await appWithoutSiteUrl.close();
});
