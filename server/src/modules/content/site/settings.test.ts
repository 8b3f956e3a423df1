import type { SiteSettings } from '@mozhan/contract/site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { makeStaff } from '../../../testing/staff.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await makeStaff(t, ['setting:list', 'setting:update'])).token;
});
afterAll(() => t.close());

const read = async () => (await t.call('GET core/sys/setting/', {}, { token: staff })).data;
const write = (fields: object, token = staff) => t.call('PUT core/sys/setting/', fields, { token });

test('a fresh installation has the defaults, the same for visitors', async () => {
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

test('only what is given changes, for everyone at once, and the change is logged', async () => {
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

test('changes of different fields at the same moment all survive', async () => {
  const fields: Partial<SiteSettings>[] = [
    { icp: '京ICP备1号' },
    { psb: '京公网安备1号' },
    { layout: 'mix' },
    { navTheme: 'dark' },
    { fixedHeader: false },
    { tagline: '同时' },
  ];
  const answers = await Promise.all(fields.map((each) => write(each)));
  expect(answers.every((answer) => answer.success)).toBe(true);
  expect(await read()).toMatchObject(Object.assign({}, ...fields));
});

test('a page that shows the site is dropped when it changes', async () => {
  const { pages } = t.app.services;
  const page = {
    status: 200,
    etag: '',
    headers: {},
    content: Buffer.from(''),
    packed: null,
    tags: new Set(['site']),
    renderedAt: Date.now(),
  };
  await pages.get('/shown', async () => page);
  const { pages: kept } = pages.stats();
  await write({ tagline: '又变了' });
  expect(pages.stats().pages).toBe(kept - 1);
});

test('a logo is a picture that was uploaded here', async () => {
  const refused = { status: 422, fields: { logo: '请先上传图片，再设为标志' } };
  expect(await write({ logo: `/files/ab/${'c'.repeat(62)}.webp` })).toMatchObject(refused);
  const logo = await uploadPicture(t, staff);
  expect((await write({ logo })).data.logo).toBe(logo);
  // Somebody else saves the whole form: the logo is not theirs, but it is not new either.
  const other = await makeStaff(t, ['setting:update']);
  expect((await write({ logo, tagline: '一起保存' }, other.token)).data).toMatchObject({
    logo,
    tagline: '一起保存',
  });
  expect((await write({ logo: '' }, other.token)).data.logo).toBe('');
  expect(await write({ logo }, other.token)).toMatchObject(refused);
  // Pictures of other hosts would not be shown: the content security policy keeps them out.
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
])('a wrong %s is refused: %j', async (field, value) => {
  const before = await read();
  expect(await write({ [field]: value, icp: '不该留下' })).toMatchObject({
    status: 422,
    fields: { [field]: expect.stringMatching(/[一-鿿]/) },
  });
  expect(await read()).toEqual(before);
});

test('reading and changing each need their permission', async () => {
  const calls = [
    ['setting:list', 'GET core/sys/setting/', {}],
    ['setting:update', 'PUT core/sys/setting/', { icp: '' }],
  ] as const;
  await expectPermissionRequired(t, calls);
  for (const [permission, route, input] of calls)
    expect((await t.call(route, input, await makeStaff(t, [permission]))).success).toBe(true);
});
