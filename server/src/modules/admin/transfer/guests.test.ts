import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { exportSite, importFile, unzipFiles } from '../../../testing/transfer.ts';
import { prepareGuestComments } from '../../content/comments/index.ts';

let from: TestApp;
let to: TestApp;
let writer: TestUser;
beforeAll(async () => {
  [from, to] = await Promise.all([startTestApp({ runsJobs: true }), startTestApp({ runsJobs: true })]);
  writer = await createWriter(from, '林砚');
});
afterAll(() => Promise.all([from.close(), to.close()]));

/** Everything about comments that an export contains. */
const commentsOf = (zip: Buffer): unknown => JSON.parse(unzipFiles(zip)['comments.json']?.toString() ?? '[]');

test('an export carries guests and pins to another installation', async () => {
  const ctx = systemCtx(from.app.services);
  const c = commentCalls(from);
  const [first, second] = [await publishEssay(from, writer), await publishEssay(from, writer)];
  for (const id of [first, second])
    await from.call('PUT core/essay/pin', { id, pinned: true }, { token: writer.token });
  await callAsAdmin(from, 'PUT core/sys/essay/pin', { id: first, pinned: true });
  const guest = { site: 'https://guest.example/', state: 'approved', createdAt: new Date(0) } as const;
  const importGuests = await prepareGuestComments(ctx, {
    essayId: first,
    source: 'https://old.example/',
    transferId: newId(),
    importedAt: ctx.now,
    comments: [
      { ...guest, foreignId: '1', parentId: null, name: '甲', content: '先说' },
      { ...guest, foreignId: '2', parentId: '1', name: '乙', content: '再说' },
      { ...guest, foreignId: '3', parentId: null, name: '丙', content: '说错了' },
      { ...guest, foreignId: '4', parentId: '3', name: '丁', content: '没错' },
    ],
  });
  await importGuests(ctx);
  const { list } = (await c.list(first)).data;
  const [regretted, root] = ['丙', '甲'].map((name) => list.find(({ user }) => user?.displayName === name));
  await c.reply(root?.id ?? '', '谢谢', writer.token, { replyToId: root?.replies[0]?.id });
  await c.remove(regretted?.id ?? '', writer.token);

  const zip = await exportSite(from, await from.signInAdmin());
  const admin = await to.signInAdmin();
  await importFile(to, admin, { name: 'site.zip', content: zip });
  const again = await exportSite(to, admin);
  expect(commentsOf(again)).toEqual(commentsOf(zip));
  const imported = (await commentCalls(to).list(first)).data.list.find(({ id }) => id === root?.id);
  expect(imported).toMatchObject({
    user: { id: null, displayName: '甲', site: 'https://guest.example/' },
    replies: [
      { user: { id: null, displayName: '乙' } },
      { user: { displayName: '林砚' }, replyTo: { id: null, displayName: '乙' } },
    ],
  });
  const pinned = async (query: object) =>
    (await to.call('GET core/essay/', query)).data.list.flatMap(({ id, pinned }) => (pinned ? [id] : []));
  expect(await pinned({ feed: 'latest' })).toEqual([first]);
  const [essay] = (await to.call('GET core/essay/', {})).data.list;
  expect(await pinned({ authorId: essay?.author.id })).toEqual([second, first]);
  await expectCorrectCounters(to);
});
