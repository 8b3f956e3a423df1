import type { SiteSettings } from '@mozhan/contract/site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['setting:list', 'setting:update'])).token;
});
afterAll(() => t.close());

const read = async () => (await t.call('GET core/sys/setting/', {}, { token: staff })).data;
const write = (fields: object, token = staff) => t.call('PUT core/sys/setting/', fields, { token });

test('returns the defaults on a new installation, also to visitors', async () => {
  const settings = await read();
  expect(settings).toEqual({
    title: '墨栈',
    tagline: '写下代码背后的思考',
    logo: '',
    navTheme: 'light',
    colorPrimary: '#ff6968',
    layout: 'top',
    contentWidth: 'Fixed',
    fixedHeader: true,
    hotDays: 7,
    hotFloor: 20,
    fixSiderbar: true,
    colorWeak: false,
    pwa: false,
    icp: '',
    showRegion: true,
    requirePhone: false,
    psb: '',
    email: '',
  });
  expect((await t.call('GET core/site/')).data.settings).toEqual(settings);
});

test('changes only the given settings, immediately and logged', async () => {
  const before = await read();
  const { data } = await write({ title: '砚台', colorPrimary: '#1677FF', email: 'me@example.com' });
  expect(data).toEqual({ ...before, title: '砚台', colorPrimary: '#1677ff', email: 'me@example.com' });
  expect((await t.call('GET core/site/')).data.settings).toEqual(data);
  expect((await write({})).data).toEqual(data);
  const log = await t.call('GET core/sys/log/', { pageSize: 2 }, { token: await t.signInAdmin() });
  expect(log.data.list[1]).toMatchObject({
    call: 'PUT core/sys/setting/',
    target: 'setting:site',
    before: { title: '墨栈', colorPrimary: '#ff6968', email: '' },
    after: { title: '砚台', colorPrimary: '#1677ff', email: 'me@example.com' },
  });
  await write({ title: '墨栈', email: '' });
});

test('applies concurrent changes of different settings', async () => {
  const fields: Partial<SiteSettings>[] = [
    { icp: '京ICP备1号' },
    { psb: '京公网安备1号' },
    { layout: 'mix' },
    { navTheme: 'dark' },
    { fixedHeader: false },
    { tagline: '同时' },
  ];
  const responses = await Promise.all(fields.map((each) => write(each)));
  expect(responses.every((response) => response.success)).toBe(true);
  expect(await read()).toMatchObject(Object.assign({}, ...fields));
});

test('shares the settings among pages until they change, without those of a preview', async () => {
  const ctx = { ...systemCtx(t.app.services), pageTags: new Set<string>() };
  const { title } = await getSiteSettings(ctx);
  expect((await getSiteSettings({ ...ctx, preview: { title: '预览' } })).title).toBe('预览');
  expect((await getSiteSettings(ctx)).title).toBe(title);
  await write({ title: '改名' });
  expect((await getSiteSettings(ctx)).title).toBe('改名');
  expect([...ctx.pageTags]).toEqual(['site']);
  await write({ title });
});

test('invalidates pages when the settings change', async () => {
  const { pages } = t.app.services;
  const page = {
    status: 200,
    etag: '',
    headers: {},
    content: Buffer.from(''),
    compressed: null,
    tags: new Set(['site']),
    renderedAt: Date.now(),
  };
  await pages.get('/shown', async () => page);
  const { pages: kept } = pages.stats();
  await write({ tagline: '又变了' });
  expect(pages.stats().pages).toBe(kept - 1);
});

test('requires an uploaded picture as logo', async () => {
  const refused = { status: 422, fields: { logo: '请先上传图片，再设为标志' } };
  expect(await write({ logo: `/files/ab/${'c'.repeat(62)}.webp` })).toMatchObject(refused);
  const logo = await uploadPicture(t, staff);
  expect((await write({ logo })).data.logo).toBe(logo);
  // Another user may save the form with the unchanged logo.
  const other = await createStaff(t, ['setting:update']);
  expect((await write({ logo, tagline: '一起保存' }, other.token)).data).toMatchObject({
    logo,
    tagline: '一起保存',
  });
  expect((await write({ logo: '' }, other.token)).data.logo).toBe('');
  expect(await write({ logo }, other.token)).toMatchObject(refused);
  // The content security policy blocks pictures of other hosts.
  expect((await write({ logo: 'https://example.com/logo.png' })).status).toBe(422);
});

test.each([
  ['title', ''],
  ['title', '一'.repeat(21)],
  ['tagline', '两\n行'],
  ['logo', 'javascript:alert(1)'],
  ['logo', '/etc/passwd'],
  ['logo', 'https://example.com/"><script>'],
  ['colorPrimary', 'red'],
  ['colorPrimary', '#fff'],
  ['colorPrimary', '#ff6968;}'],
  ['layout', 'bottom'],
  ['fixedHeader', 'yes'],
  ['email', 'nobody'],
])('rejects an invalid %s: %j', async (field, value) => {
  const before = await read();
  expect(await write({ [field]: value, icp: '不该留下' })).toMatchObject({
    status: 422,
    fields: { [field]: expect.stringMatching(/[一-鿿]/) },
  });
  expect(await read()).toEqual(before);
});

test('requires separate permissions to read and to change', async () => {
  const calls = [
    ['setting:list', 'GET core/sys/setting/', {}],
    ['setting:update', 'PUT core/sys/setting/', { icp: '' }],
  ] as const;
  await expectPermissionRequired(t, calls);
  for (const [permission, route, input] of calls)
    expect((await t.call(route, input, await createStaff(t, [permission]))).success).toBe(true);
});
