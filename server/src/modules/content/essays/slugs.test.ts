import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, essayFields, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { pagesFromSource } from '../../../testing/pages.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp({ ...pagesFromSource, config: { siteUrl: 'https://site.test' } });
  writer = await createWriter(t);
});
afterAll(() => t.close());

const setSlug = (id: string, slug: string | null, { version = 1, token = writer.token } = {}) =>
  t.call('PUT core/essay/', { id, version, slug }, { token });
const get = (url: string) => t.app.server.inject({ url });
const locationOf = async (url: string) => {
  const { statusCode, headers } = await get(url);
  return statusCode === 301 ? headers.location : statusCode;
};

test.each([
  ['a', '请用 2–80 个'],
  ['a'.repeat(81), '请用 2–80 个'],
  ['Upper-Case', '请用 2–80 个'],
  ['two--hyphens', '请用 2–80 个'],
  ['-edge', '请用 2–80 个'],
  ['with space', '请用 2–80 个'],
  ['dot.dot', '请用 2–80 个'],
  ['0123456789abcdef0123456789abcdef', '32 位的编号'],
  ['01234567-89ab-cdef-0123-456789abcdef', '32 位的编号'],
  ['detail', '另有用处'],
])('refuses the slug %s', async (slug, reason) => {
  const input = { ...(await essayFields(t)), slug };
  expect(await t.call('POST core/essay/', input, { token: writer.token })).toMatchObject({
    status: 422,
    fields: { slug: expect.stringContaining(reason) },
  });
});

test('the slug is canonical, and the id leads to it', async () => {
  const id = await publishEssay(t, writer, { title: '网址好记的文章' });
  expect(await locationOf(`/essay/detail/${id}.html`)).toBe(200);
  expect((await t.call('GET core/essay/{id}', { id })).data.slug).toBeNull();
  expect((await setSlug(id, 'hello-世界')).data).toEqual({ id, version: 1 });
  const path = `/essay/detail/${encodeURIComponent('hello-世界')}.html`;
  const mobile = path.replace('detail', 'mdetail');
  expect(await locationOf(`/essay/detail/${id}.html?s=abc`)).toBe(`${path}?s=abc`);
  expect(await locationOf(`/essay/mdetail/${id}.html`)).toBe(mobile);
  for (const url of [path, mobile]) {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(200);
    expect(body).toContain(`<link rel="canonical" href="https://site.test${path}"`);
    expect(body).toContain(`<meta property="og:url" content="https://site.test${path}"`);
    expect(body).toContain(`"url":"https://site.test${path}"`);
  }
  expect((await t.call('GET core/essay/slug', { slug: 'hello-世界' })).data).toEqual({ id });
  expect((await t.call('GET core/essay/slug', { slug: 'nobody' })).status).toBe(404);
  expect((await t.call('GET core/essay/{id}', { id: 'hello-世界' })).status).toBe(422);
});

test('the links that the site makes contain the slug', async () => {
  const id = await publishEssay(t, writer, { title: '到处都有链接', tags: ['链接'] });
  await setSlug(id, 'linked-everywhere');
  const path = '/essay/detail/linked-everywhere.html';
  const sitemap = (await get('/sitemap.xml')).body;
  const parts = [...sitemap.matchAll(/<loc>https:\/\/site\.test([^<]*)<\/loc>/g)].map(
    ([, part = '']) => part,
  );
  const bodies = [sitemap, ...(await Promise.all(parts.map(async (part) => (await get(part)).body)))];
  for (const url of ['/home', '/feed.xml', '/feed.json', `/user/home/${writer.user.id}.html`])
    bodies.push((await get(url)).body);
  expect(bodies.filter((body) => body.includes(path)).length).toBeGreaterThanOrEqual(5);
  for (const body of bodies) expect(body.includes(`/essay/detail/${id}`)).toBe(false);
  const reader = await t.register();
  const share = { essayId: id, channel: 'link' };
  const { data } = await t.call('POST core/essay/share', share, { token: reader.token });
  expect(data.url).toBe(`https://site.test${path}?s=${data.code}`);
  await t.call('POST core/essay/like', { essayId: id }, { token: reader.token });
  const notices = await t.call('GET core/user/notice', {}, { token: writer.token });
  expect(JSON.stringify(notices.data)).toContain(path);
  const { data: found } = await t.call('GET core/essay/', { keyword: '到处都有链接' });
  expect(found.list[0]?.slug).toBe('linked-everywhere');
  const next = await publishEssay(t, writer);
  expect((await t.call('GET core/essay/{id}', { id: next })).data.previous?.slug).toBe('linked-everywhere');
});

test('one of several claims of a slug wins, and a taken slug is an error at its field', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => publishEssay(t, writer)));
  const responses = await Promise.all(ids.map((id) => setSlug(id, 'wanted-by-all')));
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  for (const { success, status, fields } of responses)
    if (!success)
      expect({ status, fields }).toEqual({ status: 422, fields: { slug: '这个网址已被别的文章使用' } });
  const input = { ...(await essayFields(t)), slug: 'wanted-by-all' };
  expect((await t.call('POST core/essay/', input, { token: writer.token })).fields?.slug).toContain('已被');
});

test('a changed or cleared slug of a published essay still leads to it', async () => {
  const id = await publishEssay(t, writer);
  await setSlug(id, 'first-name');
  await setSlug(id, 'second-name');
  expect(await locationOf('/essay/detail/first-name.html?s=1')).toBe('/essay/detail/second-name.html?s=1');
  expect(await locationOf('/essay/mdetail/first-name.html')).toBe('/essay/mdetail/second-name.html');
  await setSlug(id, null);
  expect(await locationOf('/essay/detail/first-name.html')).toBe(`/essay/detail/${id}.html`);
  expect(await locationOf('/essay/detail/second-name.html')).toBe(`/essay/detail/${id}.html`);
  await setSlug(id, 'first-name');
  expect(await locationOf('/essay/detail/first-name.html')).toBe(200);
  expect(await locationOf('/essay/detail/second-name.html')).toBe('/essay/detail/first-name.html');
});

test('a slug of a draft is hidden from others and leaves no redirect', async () => {
  const input = { ...(await essayFields(t)), slug: 'secret-draft' };
  const { data } = await t.call('POST core/essay/', input, { token: writer.token });
  const find = (token?: string) => t.call('GET core/essay/slug', { slug: 'secret-draft' }, { token });
  expect((await find()).status).toBe(404);
  expect((await find((await t.register()).token)).status).toBe(404);
  expect((await find(writer.token)).data).toEqual({ id: data.id });
  const source = await t.call('GET core/essay/{id}/source', { id: data.id }, { token: writer.token });
  expect(source.data.slug).toBe('secret-draft');
  await setSlug(data.id, null);
  expect(await locationOf('/essay/detail/secret-draft.html')).toBe(404);
});

test('a slug changes without a new version, also during an audit, and with other fields', async () => {
  const input = { ...(await essayFields(t)), status: ESSAY_STATUS.waiting };
  const { data } = await t.call('POST core/essay/', input, { token: writer.token });
  expect((await setSlug(data.id, 'under-audit')).data).toEqual({ id: data.id, version: 1 });
  expect((await setSlug(data.id, 'stale', { version: 9 })).errorCode).toBe('STALE_VERSION');
  const id = await publishEssay(t, writer);
  const both = { id, version: 1, title: '新的标题', slug: 'with-a-title' };
  expect((await t.call('PUT core/essay/', both, { token: writer.token })).data.version).toBe(2);
  expect((await t.call('GET core/essay/{id}', { id })).data.slug).toBe('with-a-title');
});

test('only the author and staff with the permission change a slug', async () => {
  const id = await publishEssay(t, writer);
  expect((await setSlug(id, 'not-mine', { token: (await createWriter(t)).token })).status).toBe(403);
  expect((await t.call('PUT core/essay/', { id, version: 1, slug: 'not-mine' })).status).toBe(401);
  const staff = await createStaff(t, ['essay:update', 'essay:list']);
  const byStaff = { id, slug: 'by-staff' };
  const { data } = await t.call('PUT core/sys/essay/', byStaff, { token: staff.token });
  expect(data.slug).toBe('by-staff');
  const without = await createStaff(t, ['essay:list']);
  expect((await t.call('PUT core/sys/essay/', byStaff, { token: without.token })).status).toBe(403);
});

test('refuses sensitive words, because nobody audits a slug', async () => {
  await callAsAdmin(t, 'POST core/sys/word/', { word: '坏词儿', level: 'mask' });
  const id = await publishEssay(t, writer);
  expect((await setSlug(id, '一个坏词儿')).fields?.slug).toContain('坏词儿');
});
