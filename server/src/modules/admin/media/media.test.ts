import { FLAG } from '@mozhan/contract/enums.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatCalls } from '../../../testing/chats.ts';
import { createWriter } from '../../../testing/essays.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let staff: string;
let writer: Awaited<ReturnType<typeof createWriter>>;
beforeAll(async () => {
  t = await startTestApp();
  staff = await t.signInAdmin();
  writer = await createWriter(t);
});
afterAll(() => t.close());

/** Sessions of staff end within hours. */
async function pass(hours: number): Promise<void> {
  t.advance(hours * 3_600_000);
  staff = await t.signInAdmin();
}

let shade = 0;
/** A picture with a content of its own. */
const upload = (token = writer.token) => {
  shade += 1;
  return uploadPicture(t, token, {
    background: `#${(0x111111 + shade * 0x010305).toString(16).padStart(6, '0')}`,
  });
};
const list = async (input: object = {}) =>
  (await t.call('GET core/sys/media/', { pageSize: 100, ...input }, { token: staff })).data.list;
const find = async (path: string) => {
  const [file] = await list({ keyword: path });
  if (file === undefined) throw new Error(`not listed: ${path}`);
  return file;
};
const placesOf = async (path: string) =>
  (await find(path)).uses.map(({ kind, title }) => `${kind} ${title}`.trim());
const remove = (ids: string[], token: string | undefined = staff) =>
  t.call('DELETE core/sys/media/', { kind: 'image', ids }, { token });
const exists = async (path: string) => (await t.app.server.inject(path)).statusCode === 200;
const attach = async (name: string, content: string, token = writer.token) =>
  uploadFile(t, 'core/minio/upload?kind=attachment', { name, content }, token);

test('lists where a picture is used, and no longer when the text drops it', async () => {
  const [cover, inText, avatar] = [await upload(), await upload(), await upload()];
  expect(await find(cover)).toMatchObject({
    isUsed: false,
    isFresh: true,
    uses: [],
    user: { id: writer.user.id },
  });
  const essay = await t.call(
    'POST core/essay/',
    { title: '海边', content: `看 ![海](${inText})`, cover },
    { token: writer.token },
  );
  await t.call('PUT core/user/', { headImg: avatar }, { token: writer.token });
  expect(await placesOf(cover)).toEqual(['essay 海边']);
  expect(await placesOf(inText)).toEqual(['essay 海边']);
  expect(await placesOf(avatar)).toEqual([`avatar ${writer.user.displayName}`]);
  expect((await find(inText)).uses[0]?.link).toBe(`/essay/detail/${essay.data.id}.html`);

  await t.call('PUT core/user/', { headImg: '' }, { token: writer.token });
  expect(await find(avatar)).toMatchObject({ isUsed: false, uses: [] });
  // An older version still shows it.
  await pass(1);
  await t.call(
    'PUT core/essay/',
    { id: essay.data.id, version: essay.data.version, content: '没有图了' },
    { token: writer.token },
  );
  expect(await placesOf(inText)).toEqual(['essay 海边']);
  await t.app.services.pool.query('delete from essays where id = $1', [essay.data.id]);
  expect(await find(inText)).toMatchObject({ isUsed: false, uses: [] });
});

test('finds uses in every place that names files', async () => {
  const admin = { token: staff };
  const path = await upload(staff);
  await t.call('POST core/sys/cover/', { kind: 'banner', title: '横幅', image: path, link: '/home' }, admin);
  await t.call(
    'POST core/sys/friend-link/',
    { name: '邻居', url: 'https://example.com', description: '', logo: path },
    admin,
  );
  await t.call('POST core/sys/announcement/', { title: '公告', content: `![图](${path})` }, admin);
  await t.call(
    'POST core/sys/page/',
    { title: '团队', slug: 'team', content: `![图](${path})`, published: FLAG.on },
    admin,
  );
  await t.call('PUT core/sys/setting/', { logo: path }, admin);
  const { id } = await find(path);
  const uses = await t.call('GET core/sys/media/uses', { id }, admin);
  expect(uses.data.more).toBe(false);
  expect(uses.data.list.map(({ kind, title }) => `${kind} ${title}`.trim())).toEqual([
    'announcement 公告',
    'cover 横幅',
    'friend-link 邻居',
    'page 团队',
    'setting',
  ]);
  expect((await find(path)).uses).toHaveLength(3);
  await t.call('PUT core/sys/setting/', { logo: '' }, admin);
  expect((await t.call('GET core/sys/media/uses', { id }, admin)).data.list).toHaveLength(4);
});

test('staff do not see pictures that only messages between users contain', async () => {
  const [image, shared] = [await upload(), await upload()];
  const { send } = chatCalls(t);
  const { user: friend } = await t.register();
  for (const path of [image, shared])
    expect((await send(friend.id, path, writer.token, { kind: 'image' })).errorMessage).toBeUndefined();
  await t.call('PUT core/user/', { headImg: shared }, { token: writer.token });
  expect(await find(image)).toMatchObject({ url: '', thumbUrl: '', uses: [{ kind: 'chat', title: '' }] });
  expect(await find(shared)).toMatchObject({ url: shared });
});

test('what a row uses is tracked by index', async () => {
  const path = await upload();
  const client = await t.app.services.pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  const readScans = async () =>
    (
      await client.query<{ name: string; scans: number }>(
        `select relname as name, seq_scan::int as scans from pg_stat_xact_user_tables
         where relname in ('uploads', 'upload_uses') order by relname`,
      )
    ).rows;
  await client.query(`
    begin;
    insert into uploads (id, user_id, path, thumb_path, middle_path, width, height, bytes, created_at)
      select gen_random_uuid(), '${writer.user.id}', '/files/' || n, '/files/thumb/' || n, '/files/middle/' || n,
        1, 1, 1, now() from generate_series(1, 5000) as n;
    insert into upload_uses (source, row_key, kind, upload_id) select 'essays', id, 'essay', id from uploads;
    analyze uploads, upload_uses`);
  const before = await readScans();
  await client.query('update users set head_img = $1 where id = $2', [path, writer.user.id]);
  await client.query(`update users set head_img = '' where id = $1`, [writer.user.id]);
  expect(await readScans()).toEqual(before);
});

test('every column that may name files is tracked', async () => {
  const { rows } = await t.app.services.pool.query<{ name: string }>(`
    select format('%s.%s', table_name, column_name) as name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')
      and column_name ~ '(html|content|cover|image|logo|img|icon|picture|banner|avatar|background|attachment|fields|value|path|header|footer)'
      and not exists (
        select from pg_trigger where tgrelid = format('public.%I', table_name)::regclass
          and encode(tgargs, 'escape') like '%' || column_name || '%' and tgname like '%upload_uses%')
    order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    'account_changes.new_value',
    'account_changes.old_value',
    'attachments.path',
    'author_sources.value',
    'backups.contents',
    'categories.icon',
    // The picture of a message is in its column `image`.
    'chat_messages.content',
    'dict_items.value',
    'discarded_files.path',
    'imported_sources.content_hash',
    'menus.icon',
    'menus.path',
    'missing_paths.path',
    'redirects.path',
    'redirects.target_path',
    'traffic_values.value',
    // Archives of imports and exports, which have no row here.
    'transfers.file_path',
    'uploads.middle_path',
    'uploads.path',
    'uploads.thumb_path',
  ]);
});

test('removes an unused picture after the grace period, and its file an hour later', async () => {
  const path = await upload();
  const { id, thumbUrl } = await find(path);
  expect((await remove([id])).data).toEqual({ count: 0, bytes: 0 });
  await pass(25);
  const removed = await remove([id]);
  expect(removed.data).toMatchObject({ count: 1, bytes: expect.any(Number) });
  expect(await list({ keyword: path })).toEqual([]);
  await jobs['remove-discarded-files']?.(systemCtx(t.app.services), {});
  expect(await exists(path)).toBe(true);
  await pass(2);
  await jobs['remove-discarded-files']?.(systemCtx(t.app.services), {});
  expect(await exists(path)).toBe(false);
  expect(await exists(thumbUrl)).toBe(false);
  const log = await t.call('GET core/sys/log/', {}, { token: staff });
  expect(log.data.list[0]).toMatchObject({ call: 'DELETE core/sys/media/' });
});

test('keeps the file when the same content was uploaded again', async () => {
  const options = { background: '#fedcba' };
  const path = await uploadPicture(t, writer.token, options);
  await pass(25);
  const { id } = await find(path);
  expect((await remove([id])).data.count).toBe(1);
  const other = await t.register();
  expect(await uploadPicture(t, other.token, options)).toBe(path);
  await pass(2);
  await jobs['remove-discarded-files']?.(systemCtx(t.app.services), {});
  expect(await exists(path)).toBe(true);
});

test('never removes a picture that is used, also when the use begins at the same time', async () => {
  const path = await upload();
  const { id } = await find(path);
  await pass(25);
  const ctx = systemCtx(t.app.services);
  let removal: ReturnType<typeof remove> | undefined;
  await inTransaction(ctx, async (inner) => {
    await inner.db.execute(`update users set head_img = '${path}' where id = '${writer.user.id}'`);
    removal = remove([id]);
    // The removal waits for this transaction.
    await expect(
      Promise.race([removal, new Promise((done) => setTimeout(done, 300, 'waiting'))]),
    ).resolves.toBe('waiting');
  });
  expect((await removal)?.data.count).toBe(0);
  expect(await placesOf(path)).toEqual([`avatar ${writer.user.displayName}`]);
});

test('refuses to save a text with a picture that was removed meanwhile', async () => {
  const path = await upload();
  await pass(25);
  const { id } = await find(path);
  expect((await remove([id])).data.count).toBe(1);
  const saved = await t.call(
    'POST core/essay/',
    { title: '晚了', content: `![图](${path})` },
    { token: writer.token },
  );
  expect(saved).toMatchObject({ status: 422, errorMessage: '用到的图片或附件刚被清理，请重新上传' });
  // A path that never existed is only text.
  const invented = `/files/ab/${'0'.repeat(62)}.webp`;
  expect(
    (await t.call('POST core/essay/', { title: '编的', content: invented }, { token: writer.token })).success,
  ).toBe(true);
});

test('lists attachments by name, and removes those that no version of an essay has', async () => {
  const used = await attach('讲义.txt', '第一份');
  const unused = await attach('草稿.txt', '第二份');
  await t.call(
    'POST core/essay/',
    { title: '有附件', content: '正文', attachments: [used.data.id] },
    { token: writer.token },
  );
  await pass(25);
  const [file] = await list({ kind: 'attachment', keyword: '讲义' });
  expect(file).toMatchObject({
    name: '讲义.txt',
    isUsed: true,
    url: '',
    uses: [{ kind: 'essay', title: '有附件' }],
  });
  const ids = [used.data.id, unused.data.id];
  const removed = await t.call('DELETE core/sys/media/', { kind: 'attachment', ids }, { token: staff });
  expect(removed.data).toEqual({ count: 1, bytes: Buffer.byteLength('第二份') });
  const late = await t.call(
    'POST core/essay/',
    { title: '晚了', content: '正文', attachments: [unused.data.id] },
    { token: writer.token },
  );
  expect(late.status).toBe(422);
});

test('filters by owner, use, size and day, with a cursor', async () => {
  const other = await createWriter(t);
  const paths = [await upload(other.token), await upload(other.token), await upload(other.token)];
  const userId = other.user.id;
  const small = { token: staff };
  const first = await t.call('GET core/sys/media/', { userId, pageSize: 2 }, small);
  expect(first.data.list.map(({ url }) => url)).toEqual([paths[2], paths[1]]);
  const second = await t.call('GET core/sys/media/', { userId, pageSize: 2, cursor: first.data.next }, small);
  expect(second.data.list.map(({ url }) => url)).toEqual([paths[0]]);
  await t.call('PUT core/user/', { headImg: paths[0] }, { token: other.token });
  expect(await list({ userId, unused: FLAG.on })).toHaveLength(2);
  expect(await list({ userId, unused: FLAG.off })).toHaveLength(1);
  expect(await list({ userId, minBytes: 10_000_000 })).toEqual([]);
  expect(await list({ userId, minBytes: 1 })).toHaveLength(3);
  const sizes = (await list({ sort: 'bytes' })).map(({ bytes }) => bytes);
  expect(sizes).toEqual([...sizes].sort((one, two) => two - one));
  expect(await list({ userId, to: '2020-01-01' })).toEqual([]);
});

test('cleans everything unused, and shows how much there is', async () => {
  await upload();
  await pass(25);
  const before = (await t.call('GET core/sys/media/total', {}, { token: staff })).data;
  expect(before.image.unused.count).toBeGreaterThan(0);
  const cleaned = await t.call('POST core/sys/media/clean', { kind: 'image' }, { token: staff });
  expect(cleaned.data).toEqual({ ...before.image.unused, more: false });
  const after = (await t.call('GET core/sys/media/total', {}, { token: staff })).data;
  expect(after.image.unused).toEqual({ count: 0, bytes: 0 });
  expect(after.image.bytes).toBe(before.image.bytes - before.image.unused.bytes);
});

test('cleans hundreds of files with short statements, and logs each', async () => {
  const { pool } = t.app.services;
  await pool.query(
    `insert into uploads (id, user_id, path, thumb_path, width, height, bytes, created_at)
      select gen_random_uuid(), $1, '/full/' || n, '/thumb/' || n, 1, 1, 1, $2 from generate_series(1, 400) as n`,
    [writer.user.id, new Date(t.app.services.clock().getTime() - 48 * 3_600_000)],
  );
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const cleaned = await t.call('POST core/sys/media/clean', { kind: 'image' }, { token: staff });
  const calls: unknown[][] = query.mock.calls;
  const lengths = calls.map(([, values]) => (Array.isArray(values) ? values.length : 0));
  query.mockRestore();
  expect(cleaned.data).toMatchObject({ count: 400, bytes: 400 });
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(50);
  const { rows } = await pool.query(
    `select (select count(*)::int from discarded_files where path ~ '^/(full|thumb)/') as discarded,
      (select count(*)::int from operations where call = 'POST core/sys/media/clean'
        and before = '{"kind": "image", "bytes": 1}' and after is null) as logged`,
  );
  expect(rows).toEqual([{ discarded: 800, logged: 400 }]);
});

test('marks a file whose last uses ended unnoticed', async () => {
  const path = await upload();
  await t.app.services.pool.query('update uploads set is_used = true where path = $1', [path]);
  await jobs['mark-unused-files']?.(systemCtx(t.app.services), {});
  expect(await find(path)).toMatchObject({ isUsed: false });
});

test('staff need the permission of each call', async () => {
  const viewer = (await createStaff(t, ['media:list'])).token;
  const stranger = (await t.register()).token;
  const path = await upload();
  const { id } = await find(path);
  for (const [token, status] of [
    [undefined, 401],
    [stranger, 403],
    [viewer, 403],
  ] as const) {
    expect((await remove([id], token ?? '')).status).toBe(status);
    expect((await t.call('PUT core/sys/media/quota', { image: 1 }, { token })).status).toBe(status);
  }
  expect((await t.call('GET core/sys/media/', {}, { token: viewer })).status).toBe(200);
  expect((await t.call('GET core/sys/media/', {}, { token: stranger })).status).toBe(403);
});
