import type { Word, WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { screenMarkdown, screenText } from './index.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['word:list', 'word:create', 'word:update', 'word:remove'])).token;
});
afterAll(() => t.close());

const add = (word: string, level: WordLevel = 'hold', more: object = {}) =>
  t.call('POST core/sys/word/', { word, level, ...more }, { token: staff });
const added = async (word: string, level?: WordLevel, more?: object) =>
  (await add(word, level, more)).data as Word;
const addMany = async (words: string[], level: WordLevel = 'hold') =>
  t.call('POST core/sys/word/', { words, level }, { token: staff });
const list = async (query: object = {}) =>
  (await t.call('GET core/sys/word/', { pageSize: 100, ...query }, { token: staff })).data;
const screened = (text: string, at = t) => screenText(systemCtx(at.app.services), text);

test('the list is empty at the first start', async () => {
  expect(await list()).toMatchObject({ list: [], total: 0, next: null });
  expect(await screened('随便什么')).toEqual({
    level: null,
    words: [],
    refused: [],
    masked: '随便什么',
  });
});

test('a word takes effect at once, until it is disabled or removed', async () => {
  const { data } = await add('赌博', 'refuse', { note: '违法' });
  expect(data).toMatchObject({ word: '赌博', level: 'refuse', note: '违法', enabled: 1 });
  const { id } = data as Word;
  expect(await screened('去赌 博')).toMatchObject({ level: 'refuse', words: ['赌博'] });
  const put = (fields: object) => t.call('PUT core/sys/word/', { id, ...fields }, { token: staff });
  expect((await put({ level: 'mask' })).data).toEqual({ ...data, level: 'mask' });
  expect(await screened('去赌博吧')).toMatchObject({ level: 'mask', masked: '去＊＊吧' });
  await put({ enabled: 0 });
  expect((await screened('去赌博')).level).toBeNull();
  await put({ enabled: 1, word: '博彩' });
  expect((await screened('去赌博')).level).toBeNull();
  expect((await screened('買博彩')).level).toBe('mask');
  const remove = () => t.call('DELETE core/sys/word/', { id }, { token: staff });
  expect((await remove()).data).toEqual({ done: true });
  expect((await screened('买博彩')).level).toBeNull();
  expect((await remove()).status).toBe(404);
  expect((await put({ note: '无' })).status).toBe(404);
});

test('a change takes effect in other processes at once', async () => {
  const other = await startTestApp({ sameDatabaseAs: t });
  expect((await screened('外挂', other)).level).toBeNull();
  await add('外挂');
  expect((await screened('外挂', other)).level).toBe('hold');
  await other.close();
});

test('screens a long text in a thread with the current list', async () => {
  const run = vi.spyOn(Piscina.prototype, 'run');
  const long = `${'字'.repeat(10_000)}长虫`;
  await added('长龙', 'mask');
  expect((await screened(long)).level).toBeNull();
  // The first call asks for the word list, the second one sends it.
  expect(run).toHaveBeenCalledTimes(2);
  expect((await screened(`长龙${long}`)).masked).toBe(`＊＊${long}`);
  expect(run).toHaveBeenCalledTimes(3);
  await added('长虫', 'refuse');
  expect(await screened(long)).toMatchObject({ level: 'refuse', refused: ['长虫'] });
  run.mockRestore();
});

test('a failed change does not affect the list', async () => {
  await add('失败');
  await add('成功');
  const { data } = await add('第三');
  const duplicate = await t.call(
    'PUT core/sys/word/',
    { id: (data as Word).id, word: '失 败' },
    { token: staff },
  );
  expect(duplicate).toMatchObject({ status: 200, errorCode: 'WORD_TAKEN' });
  expect(await screened('第三、失败')).toMatchObject({ level: 'hold' });
});

test('adding many words skips existing ones and duplicates', async () => {
  await add('旧词');
  const { data } = await addMany(['新词一', '新词二', '新 词 一', '旧*词', ' 新词三 '], 'mask');
  expect(data).toEqual({ created: 3, known: 2 });
  expect((await list({ keyword: '新词' })).list.map(({ word, level }) => [word, level])).toEqual([
    ['新词三', 'mask'],
    ['新词二', 'mask'],
    ['新词一', 'mask'],
  ]);
  expect((await addMany(['新词一'])).data).toEqual({ created: 0, known: 1 });
  const log = await t.call('GET core/sys/log/', { pageSize: 2 }, { token: await t.signInAdmin() });
  expect(log.data.list[1]).toMatchObject({ target: 'word', after: { created: 3, known: 2 } });
});

test('concurrent requests add a word only once', async () => {
  const one = await Promise.all([1, 2, 3].map(() => add('同时')));
  expect(one.filter((response) => response.success)).toHaveLength(1);
  for (const response of one.filter((each) => !each.success))
    expect(response).toMatchObject({ status: 200, errorCode: 'WORD_TAKEN' });
  const words = Array.from({ length: 50 }, (_, i) => `一起${i}`);
  const many = await Promise.all([1, 2, 3].map(() => addMany(words)));
  expect(many.map(({ data }) => ('created' in data ? data.created : -1)).sort()).toEqual([0, 0, 50]);
});

test('lists words newest first, with filters and cursor', async () => {
  await addMany(['列表甲', '列表乙', '列表丙'], 'refuse');
  const { id } = await added('列表丁', 'mask', { enabled: 0, note: '看备注 50%' });
  const found = async (query: object) => (await list(query)).list.map((each) => each.word);
  expect(await found({ keyword: '列表' })).toEqual(['列表丁', '列表丙', '列表乙', '列表甲']);
  expect(await found({ keyword: '列表', level: 'refuse' })).toEqual(['列表丙', '列表乙', '列表甲']);
  expect(await found({ keyword: '列表', enabled: 0 })).toEqual(['列表丁']);
  expect(await found({ keyword: '备注 50%' })).toEqual(['列表丁']);
  expect(await found({ keyword: '%' })).toEqual(['列表丁']);
  const first = await list({ keyword: '列表', pageSize: 3 });
  expect(first.total).toBe(4);
  const rest = await list({ keyword: '列表', pageSize: 3, cursor: first.next ?? '' });
  expect([...first.list, ...rest.list].map((each) => each.word)).toHaveLength(4);
  expect(rest.next).toBeNull();
  expect(first.list[0]?.id).toBe(id);
});

test('the test call returns matches, level and masked text', async () => {
  await addMany(['试拒绝'], 'refuse');
  await addMany(['试打码', 'spam'], 'mask');
  const testText = async (text: string, isMarkdown?: boolean) =>
    (await t.call('POST core/sys/word/test', { text, isMarkdown }, { token: staff })).data;
  expect(await testText('有 SPAM 和试·打·码，还有试拒绝')).toEqual({
    level: 'refuse',
    masked: '有 ＊＊＊＊ 和＊＊＊＊＊，还有试拒绝',
    hits: [
      { start: 2, end: 6, word: 'spam', level: 'mask' },
      { start: 8, end: 13, word: '试打码', level: 'mask' },
      { start: 16, end: 19, word: '试拒绝', level: 'refuse' },
    ],
  });
  expect(await testText('`spam` 和 spam', true)).toMatchObject({ hits: [{ start: 9, end: 13 }] });
  expect((await testText('干净')).level).toBeNull();
});

test.each([
  ['a fence', '```js\nconst 码 = "代码词";\n```\n'],
  ['tildes', '~~~\n代码词\n~~~\n'],
  ['an open fence', '文字\n\n```\n代码词'],
  ['indented', '文字\n\n    代码词\n'],
  ['inline', '用 `代码词` 和 ``x ` 代码词`` 来写'],
  ['inside a quote and a list', '> ```\n> 代码词\n> ```\n\n- 项\n\n  ```\n  代码词\n  ```\n'],
  ['the name of a stored file', `![图](/files/ab/${'cd'.repeat(31)}.webp)`],
])('does not screen code in Markdown: %s', async (_, markdown) => {
  await addMany(['代码词', 'webp', 'ab'], 'refuse');
  expect((await screenMarkdown(systemCtx(t.app.services), markdown)).level).toBeNull();
  expect((await screened(markdown)).level).toBe('refuse');
});

test.each([
  ['text between code', '`x` 代码词 `y`'],
  ['after a fence', '```\nx\n```\n代码词'],
  ['indented, but in a list', '- 项\n\n    代码词'],
  ['escaped backticks', '\\`代码词\\`'],
  ['an unclosed backtick', '`代码词'],
  ['the cells of a table', '| a | b |\n|---|---|\n| `x | 代码词 | y` |'],
  ['a heading and a link', '## 代码词\n\n[链接](https://example.com)'],
])('screens Markdown that only looks like code: %s', async (_, markdown) => {
  await addMany(['代码词'], 'refuse');
  expect(await screenMarkdown(systemCtx(t.app.services), markdown)).toMatchObject({ words: ['代码词'] });
});

test('rejects names that contain a listed word, and names the word', async () => {
  await addMany(['官方客服'], 'mask');
  const refused = { status: 422, fields: { displayName: '昵称里不能有「官方客服」，请换一个' } };
  const account = { account: 'named-badly', password: 'correct horse 电池' };
  expect(await t.call('POST core/user/', { ...account, displayName: '官方.客服' })).toMatchObject(refused);
  const { token } = await t.register('named-well', { displayName: '小林' });
  const put = (fields: object) => t.call('PUT core/user/', fields, { token });
  expect(await put({ displayName: '墨栈官方客服' })).toMatchObject(refused);
  expect((await put({ displayName: '小林二' })).data).toMatchObject({ displayName: '小林二' });
  // A user whose name became invalid can still change other fields.
  await addMany(['小林'], 'hold');
  expect((await put({ displayName: '小林二', signature: '你好' })).success).toBe(true);

  const admin = await t.signInAdmin();
  const roles = await t.call('GET core/sys/role/', {}, { token: admin });
  const roleIds = 'list' in roles.data ? [roles.data.list[0]?.id] : [];
  const staffAccount = { account: 'clerk-named', password: 'correct horse 电池', roleIds };
  const createStaffAccount = (displayName: string) =>
    t.call('POST core/sys/account/', { ...staffAccount, displayName }, { token: admin });
  expect(await createStaffAccount('官方客服')).toMatchObject(refused);
  const { data } = await createStaffAccount('值班');
  expect(
    await t.call('PUT core/sys/account/', { id: data.id, displayName: '官方客服' }, { token: admin }),
  ).toMatchObject(refused);
});

test.each([
  ['word', { word: ' ' }],
  ['word', { word: '，。！' }],
  ['word', { word: '两\n行' }],
  ['word', { word: '长'.repeat(51) }],
  ['word', { word: undefined }],
  ['word', { words: ['与一个一起'] }],
  ['words', { word: undefined, words: [] }],
  ['words.1', { word: undefined, words: ['好', ''] }],
  ['level', { level: 'kill' }],
  ['note', { note: '长'.repeat(101) }],
])('rejects an invalid %s: %j', async (field, more) => {
  expect(await add('无', 'hold', more)).toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) },
  });
});

test('rejects or masks listed words in profile fields', async () => {
  const { token } = await t.register();
  const update = (input: object) => t.call('PUT core/user/', input, { token });
  await update({ bio: '写字的人' });
  await add('禁言', 'refuse');
  await add('代写', 'hold');
  await add('傻瓜', 'mask');
  for (const [field, text] of Object.entries({ bio: '专业代写', company: '禁 言', city: '禁言' }))
    expect(await update({ [field]: text })).toMatchObject({
      status: 422,
      errorCode: 'WORDS_REFUSED',
      fields: { [field]: expect.stringContaining('含有') },
    });
  expect((await update({ bio: '不是傻瓜', position: '编辑' })).data).toMatchObject({
    bio: '不是＊＊',
    position: '编辑',
  });
  await add('编辑', 'refuse');
  expect((await update({ position: '编辑', bio: '' })).data).toMatchObject({ bio: '', position: '编辑' });
});

test('each action requires its own permission', async () => {
  const { id } = await added('权限');
  await expectPermissionRequired(t, [
    ['word:list', 'GET core/sys/word/', {}],
    ['word:list', 'POST core/sys/word/test', { text: '文字' }],
    ['word:create', 'POST core/sys/word/', { word: '不会有', level: 'hold' }],
    ['word:update', 'PUT core/sys/word/', { id, level: 'mask' }],
    ['word:remove', 'DELETE core/sys/word/', { id }],
  ]);
  const auditor = await createStaffWithRole(t, 'auditor');
  expect((await t.call('GET core/sys/word/', {}, { token: auditor.token })).success).toBe(true);
});

test('lists words in alphabetical order, page by page', async () => {
  await addMany(['zeta-list', 'alpha-list', 'mid-list']);
  const query = { keyword: '-list', sort: 'word', order: 0 };
  const first = await list({ ...query, pageSize: 2 });
  expect(first.list.map((each) => each.word)).toEqual(['alpha-list', 'mid-list']);
  const next = await list({ ...query, cursor: first.next });
  expect(next.list.map((each) => each.word)).toEqual(['zeta-list']);
  expect((await list({ ...query, order: 1 })).list[0]?.word).toBe('zeta-list');
  expect((await list({ ...query, sort: 'createdAt' })).list[0]?.word).toBe('zeta-list');
});
