import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t, '林砚');
  stranger = await createWriter(t, '周野');
});
afterAll(() => t.close());

let width = 60;
/** Each of another width, because equal pictures share one path. */
function upload({ token }: { token: string }): Promise<string> {
  width += 1;
  return uploadPicture(t, token, { width });
}
const save = (id: string, version: number, fields: object, { token }: { token: string } = author) =>
  t.call('PUT core/essay/', { id, version, ...fields }, { token });
const sourceOf = async (id: string) =>
  (await t.call('GET core/essay/{id}/source', { id }, { token: author.token })).data;
const readBy = async (id: string, token?: string) =>
  (await t.call('GET core/essay/{id}', { id }, { token })).data;
const isUsed = async (path: string): Promise<boolean> => {
  const { rows } = await t.app.services.pool.query('select is_used from uploads where path = $1', [path]);
  return rows[0].is_used;
};
const setStatus = (id: string, status: 1 | 2 | 3, revision?: true) =>
  status === 1
    ? t.call('PUT core/essay/status', { id, status, revision }, { token: author.token })
    : callAsAdmin(t, 'PUT core/essay/status', { id, status, revision });

test('a revision shows its square to readers after the audit, and an older version brings none back', async () => {
  const id = await publishEssay(t, author);
  expect(await readBy(id)).toMatchObject({ cover: '', shareCover: '' });
  const [cover, shareCover] = [await upload(author), await upload(author)];
  expect((await save(id, 1, { cover, shareCover })).success).toBe(true);
  expect(await sourceOf(id)).toMatchObject({ cover, shareCover });
  expect((await readBy(id)).shareCover).toBe('');

  await setStatus(id, 1, true);
  expect((await readBy(id)).shareCover).toBe('');
  const audit = await callAsAdmin(t, 'GET core/sys/essay/audit', { id });
  expect(audit.data).toMatchObject({ cover, shareCover });
  expect(audit.data.changes).toContainEqual({ field: '分享卡片', before: '', after: shareCover });
  expect(audit.data.facts).toContainEqual({ field: '分享卡片', value: shareCover });
  await setStatus(id, 2, true);
  await setStatus(id, 3, true);
  expect(await readBy(id)).toMatchObject({ cover, shareCover });

  const restored = await t.call(
    'POST core/essay/{id}/revision/restore',
    { id, revision: 1 },
    { token: author.token },
  );
  expect(restored.success).toBe(true);
  expect(await sourceOf(id)).toMatchObject({ cover: '', shareCover: '' });
  expect((await readBy(id)).shareCover).toBe(shareCover);
});

test('accepts files of the author only, and those of staff who write for the author', async () => {
  const { data } = await t.call('POST core/essay/', { title: '方图' }, { token: author.token });
  const foreign = await upload(stranger);
  expect((await save(data.id, 1, { shareCover: foreign })).fields).toEqual({
    shareCover: '请先上传图片，再设为分享卡片',
  });
  expect((await save(data.id, 1, { shareCover: await upload(stranger) }, stranger)).status).toBe(404);
  expect((await t.call('PUT core/essay/', { id: data.id, version: 1, shareCover: '' })).status).toBe(401);
  expect(await sourceOf(data.id)).toMatchObject({ shareCover: '', version: 1 });
  const editor = await createStaff(t, ['essay:edit']);
  const shareCover = await upload(editor);
  expect((await save(data.id, 1, { shareCover }, editor)).success).toBe(true);
  // The file stays valid when the author saves it again.
  expect((await save(data.id, 2, { shareCover, title: '方的图' })).success).toBe(true);
  expect(await sourceOf(data.id)).toMatchObject({ shareCover, title: '方的图' });
});

test('a square counts as used until no version has it', async () => {
  const shareCover = await upload(author);
  expect(await isUsed(shareCover)).toBe(false);
  const { data } = await t.call('POST core/essay/', { shareCover }, { token: author.token });
  expect(await isUsed(shareCover)).toBe(true);
  await save(data.id, 1, { shareCover: '' });
  expect((await sourceOf(data.id)).shareCover).toBe('');
  // The first version still has it.
  expect(await isUsed(shareCover)).toBe(true);
  await t.app.services.pool.query('delete from essay_revisions where essay_id = $1 and version = 1', [
    data.id,
  ]);
  expect(await isUsed(shareCover)).toBe(false);
});

test('a version from before the field has none', async () => {
  const id = await publishEssay(t, author);
  await t.app.services.pool.query(
    "update essay_revisions set fields = fields - 'shareCover' where essay_id = $1",
    [id],
  );
  expect((await sourceOf(id)).shareCover).toBe('');
  const old = await t.call('GET core/essay/{id}/revision', { id, revision: 1 }, { token: author.token });
  expect(old.data).toMatchObject({ shareCover: '' });
  expect((await save(id, 1, { title: '改过的题目' })).success).toBe(true);
});
