import type { StaffPage } from '@mozhan/contract/site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import type { IncomingPage } from './actions/import-pages.ts';
import { importPage, removeImportedPages } from './index.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const ctx = () => systemCtx(t.app.services);
const incoming = (more: Partial<IncomingPage>): IncomingPage => ({
  slug: 'hello',
  title: '你好',
  content: '正文',
  publishedAt: new Date('2019-05-01T08:00:00Z'),
  updatedAt: new Date('2020-06-02T08:00:00Z'),
  isPublished: true,
  transferId: newId(),
  ...more,
});
const read = (slug: string) => t.call('GET core/site/page', { slug });
const staffPage = async (page: string) =>
  (await t.call('GET core/sys/page/', { page }, { token: admin })).data as StaffPage;
const edit = async (page: string, fields: object) =>
  t.call(
    'PUT core/sys/page/',
    { page, version: (await staffPage(page)).version, ...fields },
    { token: admin },
  );

test('creates a page with the dates of its source', async () => {
  const imported = await importPage(ctx(), incoming({ slug: 'team' }));
  expect(imported).toEqual({ id: expect.any(String), slug: 'team', outcome: 'created', version: 1 });
  expect(await staffPage(imported.id)).toMatchObject({
    published: 1,
    publishedAt: '2019-05-01T08:00:00.000Z',
    updatedAt: '2020-06-02T08:00:00.000Z',
  });
  expect((await read('team')).data).toMatchObject({ title: '你好', html: '<p>正文</p>' });
});

test('makes slugs valid and unique, and titles single lines', async () => {
  const transferId = newId();
  const bring = async (more: Partial<IncomingPage>) => importPage(ctx(), incoming({ transferId, ...more }));
  expect((await bring({ slug: 'About', key: '1' })).slug).toBe('about-2');
  expect((await bring({ slug: 'about', key: '2' })).slug).toBe('about-3');
  expect((await bring({ slug: '%E5%85%B3%E4%BA%8E', key: '3' })).slug).toBe('关于');
  expect((await bring({ slug: '', title: '没有地址的页面', key: '4' })).slug).toBe('没有地址的页面');
  const { id } = await bring({ slug: 'lines', title: `两\n行${'长'.repeat(60)}`, key: '5' });
  expect((await staffPage(id)).title).toBe(`两 行${'长'.repeat(47)}`);
  expect((await staffPage((await bring({ slug: 'untitled', title: '', key: '6' })).id)).title).toBe('无题');
});

test('a page that was not public, or has no text, becomes a draft', async () => {
  const draft = await importPage(ctx(), incoming({ slug: 'private', isPublished: false }));
  expect(await staffPage(draft.id)).toMatchObject({ published: 0, publishedAt: null });
  expect((await read('private')).status).toBe(404);
  const empty = await importPage(ctx(), incoming({ slug: 'empty', content: ' \n' }));
  expect(await staffPage(empty.id)).toMatchObject({ published: 0 });
});

test('the same source updates its page unless it was edited here', async () => {
  const first = newId();
  const created = await importPage(ctx(), incoming({ slug: 'again', transferId: first }));
  const again = (more: Partial<IncomingPage>) => importPage(ctx(), incoming({ slug: 'again', ...more }));
  expect(await again({ transferId: first })).toEqual({ ...created, outcome: 'kept' });
  const later = { transferId: newId(), earlierTransferIds: [first] };
  expect(await again({ ...later, content: '新的正文' })).toEqual({
    ...created,
    outcome: 'updated',
    version: 2,
  });
  expect((await read('again')).data.html).toBe('<p>新的正文</p>');
  await edit(created.id, { content: '在本站改过' });
  expect(await again({ ...later, content: '更新的正文' })).toMatchObject({ outcome: 'kept', version: 3 });
  expect((await read('again')).data.html).toBe('<p>在本站改过</p>');
  expect(await again({ transferId: newId() })).toMatchObject({ outcome: 'created', slug: 'again-2' });
});

test('concurrent imports of one page create it once', async () => {
  const page = incoming({ slug: 'once' });
  const results = await Promise.all([1, 2, 3].map(() => importPage(ctx(), page)));
  expect(results.map(({ outcome }) => outcome).sort()).toEqual(['created', 'kept', 'kept']);
  expect(new Set(results.map(({ id }) => id)).size).toBe(1);
});

test('refuses a text that is too long, and changes nothing', async () => {
  const long = incoming({ slug: 'long', content: '字'.repeat(100_001) });
  await expect(importPage(ctx(), long)).rejects.toMatchObject({ fields: { content: expect.any(String) } });
  expect((await read('long')).status).toBe(404);
});

test('an undo removes the pages of its import, except those edited since', async () => {
  const transferId = newId();
  const bring = (slug: string) => importPage(ctx(), incoming({ slug, title: slug, transferId }));
  const [one, two, three] = [await bring('undo-1'), await bring('undo-2'), await bring('undo-3')];
  const other = await importPage(ctx(), incoming({ slug: 'undo-other' }));
  await edit(two.id, { published: 0 });
  expect(await removeImportedPages(ctx(), transferId, [one.id])).toEqual({ removedIds: [one.id], kept: [] });
  expect(await removeImportedPages(ctx(), transferId)).toEqual({
    removedIds: [three.id],
    kept: [{ id: two.id, title: 'undo-2' }],
  });
  expect(await removeImportedPages(ctx(), newId())).toEqual({ removedIds: [], kept: [] });
  for (const slug of ['undo-1', 'undo-3']) expect((await read(slug)).status).toBe(404);
  expect((await staffPage(two.id)).title).toBe('undo-2');
  expect((await read(other.slug)).status).toBe(200);
});
