import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { categoryIds, createWriter } from '../../../testing/essays.ts';
import {
  checkFile,
  getCheck,
  listImported,
  listItems,
  runChecked,
  startImport,
  toHexo,
  toPost,
  waitForTransfer,
} from '../../../testing/transfer.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const check = (name: string, content: Uint8Array) => checkFile(t, admin, { name, content });
const checkOf = (id: string) => getCheck(t, admin, id);
const start = (id: string, mapping: object = {}, token = admin) => startImport(t, token, id, mapping);
const run = (id: string, mapping: object = {}) => runChecked(t, admin, id, mapping);

const blog = (more: Record<string, Uint8Array> = {}) =>
  toHexo('map.test', {
    'source/_posts/a.md': toPost('title: A\nauthor: wang\ncategories: [随笔]'),
    'source/_posts/b.md': toPost('title: B\nauthor: li\ncategories: [Big Engineering]'),
    'source/_posts/c.md': toPost('title: C\nauthor: [zhao, li]\ncategories: [旧类, 随笔]'),
    'source/_posts/d.md': toPost('title: D'),
    ...more,
  });

test('a run uses the mapping, the next check proposes it again, and an undo takes everything back', async () => {
  const [wang, nobody] = [await createWriter(t, '王先生'), await createWriter(t, '没有署名的人')];
  await t.register('zhao', { displayName: '别人' });
  const ids = await categoryIds(t);
  const first = await check('blog.zip', blog());
  const { authors } = (await checkOf(first.id)).mapping;
  // The account exists, but it is not a writer.
  expect(authors).toContainEqual({ account: 'zhao', to: 'new' });
  const mapping = {
    authorId: nobody.user.id,
    categories: [
      { name: '随笔', to: 'category', categoryId: ids.tech },
      { name: 'Big Engineering', to: 'new', newName: '工程' },
      { name: '旧类', to: 'tag' },
    ],
    authors: [
      { account: 'wang', to: 'user', userId: wang.user.id },
      { account: 'li', to: 'new' },
      { account: 'zhao', to: 'new' },
    ],
  };
  expect(await run(first.id, mapping)).toMatchObject({ status: 'done', message: '', total: 4 });
  expect(await listImported(t, first.id)).toMatchObject([
    { title: 'A', author: '王先生', category: '技术', content: '正文。' },
    { title: 'B', author: 'li', category: '工程', tags: [] },
    {
      title: 'C',
      author: 'zhao',
      category: '技术',
      tags: ['旧类'],
      content: '正文。\n\n原作者：zhao、li\n',
    },
    { title: 'D', author: '没有署名的人' },
  ]);
  const items = await listItems(t, admin, first.id);
  expect(items.filter(({ kind }) => kind === 'category')).toMatchObject([
    { title: '工程', outcome: 'created' },
  ]);
  const made = await t.query<{ name: string }>(
    `select name from accounts join users on users.id = user_id where display_name in ('li', 'zhao') order by name`,
  );
  // The new account of an author does not take over the account of somebody else.
  expect(made.map(({ name }) => name)).toEqual(['author-li', expect.stringMatching(/^zhao-[0-9a-f]{6}$/)]);
  expect((await checkOf(first.id)).mapping).toMatchObject(mapping);

  const second = await check('again.zip', blog({ 'source/_posts/e.md': toPost('title: E\nauthor: zhao') }));
  const again = await checkOf(second.id);
  expect(again).toMatchObject({ isRepeated: true, counts: { existing: 4, changed: 0 } });
  const [{ id: engineeringId } = { id: '' }] = await t.query<{ id: string }>(
    "select replace(id::text, '-', '') as id from categories where name = '工程'",
  );
  expect(again.mapping.categories).toContainEqual({
    name: 'Big Engineering',
    to: 'category',
    categoryId: engineeringId,
  });
  expect(again.mapping).toMatchObject({ authorId: nobody.user.id });
  expect(again.users.map(({ displayName }) => displayName).sort()).toEqual(
    ['王先生', '没有署名的人', 'li', 'zhao'].sort(),
  );
  expect(await run(second.id)).toMatchObject({ status: 'done' });
  expect(await listImported(t, second.id)).toMatchObject([{ title: 'E', author: 'zhao' }]);

  for (const { id } of [second, first]) {
    await t.call('POST core/sys/transfer/undo', { id }, { token: admin });
    await waitForTransfer(t, admin, id);
  }
  expect(await t.query("select 1 from categories where name = '工程'")).toEqual([]);
  expect(await t.query("select 1 from users where display_name in ('li', 'zhao')")).toEqual([]);
});

test('what nobody signed gets one new account if nobody is chosen, also the next time', async () => {
  const files = { 'source/_posts/a.md': toPost('title: U') };
  const { id } = await check('blog.zip', toHexo('unsigned.test', files));
  // The administrator is a writer and therefore proposed.
  expect((await checkOf(id)).mapping.authorId).not.toBeNull();
  await run(id, { authorId: null });
  expect(await listImported(t, id)).toMatchObject([{ title: 'U', author: '旧博客' }]);
  const more = { ...files, 'source/_posts/b.md': toPost('title: V') };
  const second = await check('blog.zip', toHexo('unsigned.test', more));
  expect(await checkOf(second.id)).toMatchObject({ counts: { existing: 1 }, mapping: { authorId: null } });
  await run(second.id);
  expect(await listImported(t, second.id)).toMatchObject([{ title: 'V', author: '旧博客' }]);
  expect(await t.query("select 1 from users where display_name = '旧博客'")).toHaveLength(1);
});

test('the new account has the name of the author of the site, and new categories their whole names', async () => {
  const { id } = await check(
    'blog.zip',
    toHexo('signed.test', {
      '_config.yml': strToU8('title: 木杉的博客\nauthor: 木杉\nurl: https://signed.test'),
      'source/_posts/a.md': toPost('title: W\ncategories: [Machine Learning]'),
    }),
  );
  expect((await checkOf(id)).siteOwner).toBe('木杉');
  await run(id, { authorId: null, categories: [{ name: 'Machine Learning', to: 'new' }] });
  expect(await listImported(t, id)).toMatchObject([
    { title: 'W', author: '木杉', category: 'Machine Learning' },
  ]);
});

test('all authors become one, with the names of the others in the text', async () => {
  const writer = await createWriter(t, 'wang');
  const { id } = await check(
    'blog.zip',
    toHexo('one.test', {
      'source/_posts/a.md': toPost('title: A\nauthor: wang'),
      'source/_posts/b.md': toPost('title: B\nauthor: "li*[x](y)"'),
    }),
  );
  await run(id, { allTo: writer.user.id });
  const essays = await listImported(t, id);
  expect(essays.map(({ author }) => author)).toEqual(['wang', 'wang']);
  expect(essays.map(({ content }) => content)).toEqual(['正文。', '正文。\n\n原作者：li\\*\\[x\\]\\(y\\)\n']);
});

test('sections of Hugo are essays or pages as chosen', async () => {
  const writer = await createWriter(t);
  const zip = zipSync({
    'hugo.toml': strToU8('baseURL = "https://hugo.test"\ntitle = "站"'),
    'content/posts/a.md': toPost('title: 文'),
    'content/posts/b.md': toPost('title: 文二'),
    'content/notes/c.md': toPost('title: 记'),
    'content/about/d.md': toPost('title: 关于'),
  });
  const { id } = await check('hugo.zip', zip);
  const found = await checkOf(id);
  expect(found.sections).toEqual(expect.arrayContaining([{ name: 'posts', count: 2, isMain: true }]));
  expect(found.counts).toMatchObject({ essays: 2, pages: 2 });
  await run(id, {
    authorId: writer.user.id,
    sections: [
      { name: 'notes', as: 'essay' },
      { name: 'posts', as: 'page' },
    ],
  });
  const items = await listItems(t, admin, id);
  const titles = (kind: string) =>
    items
      .filter((item) => item.kind === kind)
      .map(({ title }) => title)
      .sort();
  expect(titles('essay')).toEqual(['记']);
  expect(titles('page')).toEqual(['关于', '文', '文二'].sort());
});

const ghost = (posts: object[]) =>
  strToU8(
    JSON.stringify({
      db: [
        {
          meta: { version: '5.0.0' },
          data: {
            posts: posts.map((each, index) => ({
              id: `${index}`,
              uuid: newId(),
              slug: `p${index}`,
              html: '<p>只给一些人看的正文</p>',
              status: 'published',
              type: 'post',
              created_at: '2024-01-01T00:00:00.000Z',
              published_at: '2024-01-02T00:00:00.000Z',
              ...each,
            })),
            users: [],
            tags: [],
            posts_tags: [],
            posts_authors: [],
            settings: [{ key: 'title', value: '鬼站' }],
          },
        },
      ],
    }),
  );

test('posts for members are locked or drafts, and nothing becomes more public', async () => {
  const writer = await createWriter(t);
  const file = ghost([
    { title: 'M', visibility: 'members' },
    { title: 'N', visibility: 'paid' },
    { title: 'O', status: 'sent', visibility: 'members' },
    { title: 'P', status: 'scheduled', visibility: 'paid', published_at: '2090-01-01T00:00:00.000Z' },
  ]);
  const { id } = await check('ghost.json', file);
  expect((await checkOf(id)).counts).toMatchObject({ members: 2, paid: 2 });
  expect((await start(id, { membersAs: 'buy' })).fields).toEqual({ price: '请填写价格' });
  await run(id, { authorId: writer.user.id, membersAs: 'member', paidAs: 'buy', price: 500 });
  const essays = await listImported(t, id);
  expect(essays).toMatchObject([
    { title: 'M', status: 3, price: 0, memberFree: true, previewPercent: 0 },
    { title: 'N', status: 3, price: 500, memberFree: false, previewPercent: 0 },
    { title: 'O', status: 0 },
    { title: 'P', status: 2, price: 500 },
  ]);
  for (const { id, status } of essays) {
    const { data } = await t.call('GET core/essay/{id}', { id });
    expect(JSON.stringify(data ?? {})).not.toContain('只给一些人看的正文');
    if (status === 3) expect(data.title).toMatch(/^[MN]$/);
  }
  const [row] = await t.query<{ published_at: Date }>('select published_at from essays where id = $1', [
    essays[0]?.id,
  ]);
  expect(row?.published_at).toEqual(new Date('2024-01-02T00:00:00Z'));
});
