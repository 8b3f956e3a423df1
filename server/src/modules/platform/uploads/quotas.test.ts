import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { uploadFile } from '../../../testing/uploads.ts';

const MB = 1024 * 1024;

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = await t.signInAdmin();
});
afterAll(() => t.close());

const attach = (token: string, size: number, name = 'a.pdf') =>
  uploadFile(
    t,
    'core/minio/upload?kind=attachment',
    {
      name,
      content: Buffer.concat([Buffer.from(`%PDF-1.7 ${name}`), Buffer.alloc(size, name)]).subarray(0, size),
    },
    token,
  );
const setOwn = (userId: string, quotas: object, token: string | undefined = staff) =>
  t.call('PUT core/sys/media/user', { userId, ...quotas }, { token });
const storageOf = async (token: string) => (await t.call('GET core/user/storage', {}, { token })).data;

test('refuses an upload beyond the quota, says how much is used, and stores nothing', async () => {
  const { token, user } = await createWriter(t);
  await setOwn(user.id, { attachment: 1 });
  expect((await attach(token, 0.75 * MB)).success).toBe(true);
  const refused = await attach(token, 0.5 * MB, 'b.pdf');
  expect(refused).toMatchObject({
    status: 413,
    errorMessage: expect.stringContaining('已用 0.8 MB，共 1 MB'),
  });
  expect((await storageOf(token)).attachment).toEqual({ bytes: 0.75 * MB, quotaBytes: MB });
  const signed = await t.call(
    'GET core/sys/oss/sign',
    { name: 'b.pdf', type: 'application/pdf', size: MB, kind: 'attachment' },
    { token },
  );
  expect(signed.errorCode).toBe('TOO_LARGE');
  await setOwn(user.id, { attachment: null });
  expect((await attach(token, 0.5 * MB, 'b.pdf')).success).toBe(true);
});

test('of two uploads at the same time only one gets the last space', async () => {
  const { token, user } = await createWriter(t);
  await setOwn(user.id, { attachment: 1 });
  const results = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => attach(token, 0.6 * MB, `${name}.pdf`)),
  );
  expect(results.filter(({ success }) => success)).toHaveLength(1);
  expect((await storageOf(token)).attachment.bytes).toBe(Math.floor(0.6 * MB));
  const { rows } = await t.app.services.pool.query(
    'select count(*)::int from attachments where user_id = $1',
    [user.id],
  );
  expect(rows[0].count).toBe(1);
});

test('counts pictures, and lets their owner remove unused ones', async () => {
  const { token, user } = await t.register();
  const path = await uploadPicture(t, token, { width: 500, height: 500 });
  await uploadPicture(t, token, { background: '#abcdef' });
  const before = await storageOf(token);
  expect(before.image).toEqual({ bytes: expect.any(Number), quotaBytes: 1024 * MB });
  expect(before.unused).toEqual({ count: 0, bytes: 0 });
  await t.call('PUT core/user/', { headImg: path }, { token });
  t.advance(25 * 3_600_000);
  staff = await t.signInAdmin();
  expect((await storageOf(token)).unused.count).toBe(1);
  const cleaned = await t.call('DELETE core/user/storage', {}, { token });
  expect(cleaned.data.unused).toEqual({ count: 0, bytes: 0 });
  expect(cleaned.data.image.bytes).toBeLessThan(before.image.bytes);
  const { rows } = await t.app.services.pool.query<{ path: string }>(
    'select path from uploads where user_id = $1',
    [user.id],
  );
  expect(rows).toEqual([{ path }]);
});

test('the quota of the site applies to everybody without one of their own; 0 is no limit', async () => {
  const { token, user } = await t.register();
  await t.call('PUT core/sys/media/quota', { image: 0 }, { token: staff });
  expect((await storageOf(token)).image.quotaBytes).toBeNull();
  const changed = await t.call('PUT core/sys/media/quota', { image: 500 }, { token: staff });
  expect(changed.data).toEqual({ image: 500, attachment: 2048 });
  expect((await storageOf(token)).image.quotaBytes).toBe(500 * MB);
  const own = await setOwn(user.id, { image: 20 });
  expect(own.data).toMatchObject({ own: { image: 20, attachment: null }, image: { quotaBytes: 20 * MB } });
  expect((await t.call('GET core/sys/media/user', { userId: user.id }, { token: staff })).data).toEqual(
    own.data,
  );
  const log = await t.call('GET core/sys/log/', {}, { token: staff });
  expect(log.data.list[0]).toMatchObject({ call: 'PUT core/sys/media/user' });
  expect((await t.call('PUT core/sys/media/quota', { image: -1 }, { token: staff })).status).toBe(422);
  expect((await setOwn('0'.repeat(32), { image: 1 })).status).toBe(404);
  expect((await setOwn(user.id, { image: 1 }, token)).status).toBe(403);
  expect((await t.call('GET core/user/storage')).status).toBe(401);
});
