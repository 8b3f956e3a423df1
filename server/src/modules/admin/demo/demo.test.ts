import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedInstallation } from '../../../first-start.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { describePages } from '../../../testing/page-tests.ts';
import { pagesFromSource } from '../../../testing/pages.ts';
import { createStaff } from '../../../testing/staff.ts';
import { checkCounters, checkLedger } from '../system/index.ts';
import { createDemo, removeDemo } from './index.ts';

const USER_COUNT = 20;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true }, ...pagesFromSource });
});
afterAll(() => t.close());

const listDemoUsers = () => t.query('select display_name, head_img from users where demo order by id');
const findDifferences = async () => [
  ...(await checkCounters(systemCtx(t.app.services))),
  ...(await checkLedger(systemCtx(t.app.services))),
];
const signIn = async (account: string) =>
  (await t.call('POST core/account/login', { account, password })).token ?? '';

let password = '';

test('users with portraits are created once, even by two concurrent processes, and can sign in', {
  timeout: 600_000,
}, async () => {
  const ctx = () => systemCtx(t.app.services);
  const passwords = await Promise.all([createDemo(ctx()), createDemo(ctx())]);
  const created = passwords.filter((each) => each !== null);
  expect(created).toHaveLength(1);
  password = created[0] ?? '';
  expect(await createDemo(ctx())).toBeNull();
  const list = await listDemoUsers();
  expect(list).toHaveLength(USER_COUNT);
  expect(list.slice(0, 4).map((user) => user.display_name)).toEqual(['林砚', '周牧', '苏禾', '陈铎']);
  expect(new Set(list.map((user) => user.head_img)).size).toBe(USER_COUNT);
  for (const user of list) {
    const picture = await t.app.server.inject(user.head_img);
    expect(picture.headers['content-type']).toBe('image/webp');
  }
  const response = await t.call('POST core/account/login', { account: 'suhe', password });
  expect(response.data).toMatchObject({ displayName: '苏禾', curIdentity: 2 });
});

const listBanners = async () => {
  const { data } = await t.call('GET core/sys/cover/', { kind: 'banner' });
  return Array.isArray(data) ? data : [];
};

test('two banners with pictures of their own lead to columns', async () => {
  const banners = await listBanners();
  expect(banners.map(({ title }) => title)).toEqual(['睡到天亮的后端', '从括号长成一棵树']);
  for (const { summary, image, link } of banners) {
    expect(summary).not.toBe('');
    expect((await t.app.server.inject(image)).headers['content-type']).toBe('image/webp');
    const columnId = link.match(/^\/column\/(\w+)\.html$/)?.[1] ?? '';
    expect((await t.call('GET core/essay/', { columnId })).data.total).toBeGreaterThan(2);
  }
});

test('essays are published in their columns, searchable and long enough', async () => {
  const essays = async (query: object) => (await t.call('GET core/essay/', { pageSize: 100, ...query })).data;
  const { list, total } = await essays({});
  expect(total).toBeGreaterThanOrEqual(20);
  for (const slug of ['program', 'tech', 'app'])
    expect((await essays({ category: slug })).total).toBeGreaterThan(2);
  for (const { title, summary, wordCount, tags } of list) {
    expect(summary, title).not.toBe('');
    expect(tags.length, title).toBeGreaterThan(0);
    expect(wordCount, title).toBeGreaterThanOrEqual(800);
  }
  const bodies = await Promise.all(
    list.map(async ({ id }) => (await t.call('GET core/essay/{id}', { id })).data),
  );
  expect(bodies.some(({ hasMath }) => hasMath)).toBe(true);
  const figures = bodies.flatMap(({ html }) => html.match(/<figure class="diagram"[^>]*>/g) ?? []);
  expect(figures.length).toBeGreaterThan(3);
  expect(new Set(figures), 'drawn by e2e/draw-demo.ts').toEqual(
    new Set(['<figure class="diagram" data-diagram="stored">']),
  );
  expect(bodies.some(({ html }) => html.includes('<table'))).toBe(true);
  expect(bodies.filter(({ column }) => column !== null).length).toBeGreaterThanOrEqual(5);
  expect((await essays({ keyword: '任务队列' })).total).toBeGreaterThan(0);
});

test('every essay has reads and likes, most have comments, and all counters are correct', async () => {
  expect(await findDifferences()).toEqual([]);
  const { list } = (await t.call('GET core/essay/', { pageSize: 100 })).data;
  for (const { title, readCount, likeCount } of list) {
    expect(readCount, title).toBeGreaterThanOrEqual(40);
    expect(readCount, title).toBeLessThanOrEqual(3000);
    expect(likeCount, title).toBeGreaterThan(0);
    expect(likeCount, title).toBeLessThan(USER_COUNT);
  }
  const commented = list.filter(({ cmtCount }) => cmtCount >= 3);
  expect(commented.length).toBeGreaterThanOrEqual(12);
  const all = await Promise.all(
    commented.map(async ({ id }) => (await t.call('GET core/essay/cmt', { essayId: id })).data.list),
  );
  expect(all.every((comments) => comments.some(({ replies }) => replies.length > 0))).toBe(true);
  expect(all.flat().filter(({ pinned }) => pinned)).toHaveLength(1);
  expect(all.flat().some(({ html }) => html.includes('<blockquote'))).toBe(true);
  expect(list.filter(({ price }) => price > 0)).toHaveLength(3);
  expect(list.filter(({ price, memberFree }) => memberFree && price === 0)).toHaveLength(1);
});

test('no event is earlier than its cause or later than now', async () => {
  const now = t.app.services.clock();
  const wrongOrder = `
    select essay_likes.created_at from essay_likes join essays on essays.id = essay_id where essay_likes.created_at < published_at
    union all select collections.created_at from collections join essays on essays.id = essay_id where collections.created_at < published_at
    union all select read_at from essay_history join essays on essays.id = essay_id where read_at < published_at
    union all select comments.created_at from comments join essays on essays.id = essay_id where comments.created_at < published_at
    union all select reply.created_at from comments as reply join comments as root on root.id = reply.root_id where reply.created_at < root.created_at
    union all select rewards.created_at from rewards join essays on essays.id = essay_id where rewards.created_at < published_at
    union all select replied_at from rewards where replied_at < created_at
    union all select orders.created_at from orders join essays on essays.id = target_id where orders.created_at < published_at
    union all select letters.created_at from letters join letter_threads on letter_threads.id = thread_id join essays on essays.id = essay_id where letters.created_at < published_at
    union all select letters.created_at from letters join letters as parent on parent.id = letters.parent_id where letters.created_at < parent.created_at
    union all select chat_messages.created_at from chat_messages join conversations on conversations.id = conversation_id join essays on essays.id = essay_id where chat_messages.created_at < published_at
    union all select said.created_at from chat_messages as said join chat_messages as before on before.conversation_id = said.conversation_id and before.seq = said.seq - 1 where said.created_at < before.created_at
    union all select follows.created_at from follows join users on users.id in (follower_id, user_id) where follows.created_at < users.created_at`;
  expect(await t.query(wrongOrder)).toEqual([]);
  for (const table of [
    'essay_likes',
    'collections',
    'comments',
    'follows',
    'trends',
    'notices',
    'rewards',
    'orders',
    'letters',
    'chat_messages',
  ]) {
    const [times] = await t.query(`select min(created_at) as first, max(created_at) as last from ${table}`);
    expect(times.last.getTime(), table).toBeLessThanOrEqual(now.getTime());
    expect(now.getTime() - times.first.getTime(), table).toBeGreaterThan(16 * 86_400_000);
  }
});

test('creates reports and applications for staff, a directory and picked writers', async () => {
  const { token } = await createStaff(t, ['report:list', 'apply:list']);
  const open = await t.call('GET core/sys/report/', { status: 0 }, { token });
  expect(open.data.list).toMatchObject([{ kind: 'comment', user: { displayName: '白乔' } }]);
  const applied = await t.call('GET core/sys/apply/', {}, { token });
  expect(applied.data.list.map(({ status }) => status).sort()).toEqual([0, 1]);
  expect((await t.call('GET core/code/farmer/', { skill: 'Go' })).data.total).toBe(2);
  expect((await t.call('GET core/code/star/', {})).data.picks).toHaveLength(2);
  const folders = async (userId: string, token?: string) =>
    (await t.call('GET core/user/folder', { userId }, { token })).data;
  const [{ id: tangke }] = (await t.query(`select id from users where display_name = '唐可'`)) as [
    { id: string },
  ];
  expect((await folders(tangke, await signIn('tangke'))).length).toBe((await folders(tangke)).length + 1);
});

test('creates purchases, rewards with replies, earnings and a pending withdrawal', async () => {
  const [chenduo, heqing] = [await signIn('chenduo'), await signIn('heqing')];
  const wallet = (await t.call('GET core/user/wallet', {}, { token: chenduo })).data;
  expect(wallet).toMatchObject({ withdrawing: 5000 });
  expect(wallet.earnings).toBeGreaterThan(0);
  const { data: stats } = await t.call('GET core/user/stat', {}, { token: chenduo });
  expect(stats.total.income).toBe(wallet.earnings + wallet.withdrawing);
  expect((await t.call('GET core/user/', {}, { token: heqing })).data).toMatchObject({ isMember: true });
  const { list } = (await t.call('GET core/essay/', { pageSize: 100 })).data;
  const id = list.find(({ title }) => title.startsWith('闭包转换'))?.id;
  expect((await t.call('GET core/essay/{id}', { id }, { token: heqing })).data).toMatchObject({
    locked: null,
  });
  expect((await t.call('GET core/essay/{id}', { id })).data).toMatchObject({ locked: 'buy' });
  const rewards = await Promise.all(
    list
      .filter(({ rewardCount }) => rewardCount > 0)
      .map(async ({ id }) => (await t.call('GET core/essay/reward', { essayId: id })).data.list),
  );
  expect(rewards.flat().length).toBeGreaterThanOrEqual(12);
  expect(rewards.flat().filter(({ reply }) => reply !== '').length).toBeGreaterThanOrEqual(8);
  const [notice] = (await t.call('GET core/user/notice', { kind: 'purchase' }, { token: chenduo })).data.list;
  expect(notice).toMatchObject({ verb: '购买了你的文章' });
  expect(await t.query('select 1 from untold_orders')).toEqual([]);
  expect(await t.query('select 1 from orders where status <> 1')).toEqual([]);
});

test('creates letters, private chats and room messages', async () => {
  const [linyan, suhe] = [await signIn('linyan'), await signIn('suhe')];
  const letters = (await t.call('GET core/essay/pri/msg', {}, { token: linyan })).data.list;
  expect(letters).toMatchObject([
    { other: { displayName: '陆简' }, unread: 1, essay: { title: expect.stringContaining('断电') } },
    { other: { displayName: '杜衡' }, unread: 0, letterCount: 4 },
  ]);
  const chats = (await t.call('GET core/essay/pri/chat', {}, { token: suhe })).data;
  expect(chats).toMatchObject({ list: [{ user: { displayName: '许汀' }, unread: 1 }] });
  const rooms = (await t.call('GET core/essay/group/chat', {}, { token: suhe })).data;
  expect(rooms).toMatchObject({ list: [{ essay: { title: expect.stringContaining('一行四十个字') } }] });
  const [{ rooms: roomCount, cards, replies }] = (await t.query(`
    select count(distinct conversation_id) filter (where essay_id is not null)::int as rooms,
      count(*) filter (where kind = 'essay')::int as cards, count(reply_to_seq)::int as replies
    from chat_messages join conversations on conversations.id = conversation_id`)) as [
    Record<string, number>,
  ];
  expect([roomCount, cards]).toEqual([4, 3]);
  expect(replies).toBeGreaterThanOrEqual(15);
  expect(await t.query('select 1 from letters where masked is not null')).toEqual([]);
  expect(await t.query('select 1 from chat_messages where masked is not null')).toEqual([]);
});

describePages(() => t);

test('the demo cannot be removed while one of its users is the only super administrator', async () => {
  const { pool } = t.app.services;
  const setAdmin = (enabled: boolean) =>
    pool.query(`update accounts set enabled = $1 where name = 'admin'`, [enabled]);
  await pool.query(
    `insert into account_roles select user_id, roles.id from accounts, roles where accounts.name = 'suhe' and code = 'super'`,
  );
  await setAdmin(false);
  await expect(removeDemo(systemCtx(t.app.services))).rejects.toMatchObject({ code: 'LAST_SUPER_ADMIN' });
  expect(await listDemoUsers()).toHaveLength(USER_COUNT);
  await setAdmin(true);
});

/** Lists tables with references to these ids, except the operation log. */
async function findReferences(ids: string[]): Promise<string[]> {
  const tables = await t.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'operations'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [{ count }] = (await t.query(
        `select count(*)::int as count from "${name}" as row where replace(row::text, '-', '') ~ $1`,
        [ids.join('|')],
      )) as [{ count: number }];
      return count === 0 ? [] : [`${name}: ${count}`];
    }),
  );
  return found.flat();
}

test('removing the demo deletes its users with their files, and they are not created again', async () => {
  const { user, token } = await t.register();
  const writer = await createWriter(t);
  const essayId = await publishEssay(t, writer);
  const suhe = await signIn('suhe');
  const demo = await t.query(
    'select id, author_id from essays where author_id in (select id from users where demo) order by id',
  );
  const ids = [
    ...demo.map(({ id }) => id),
    ...(await t.query('select id from users where demo')).map(({ id }) => id),
  ] as string[];
  for (const [essay, by] of [
    [essayId, suhe],
    [String(demo[0]?.id).replaceAll('-', ''), token],
  ] as const) {
    const given = { essayId: essay };
    await t.call('POST core/essay/like', given, { token: by });
    await t.call('POST core/essay/collect', given, { token: by });
    await t.call('POST core/essay/share', { ...given, channel: 'link' }, { token: by });
    await t.call('POST core/essay/cmt', { ...given, content: '说一句' }, { token: by });
    const message = { ...given, content: '群里说一句', clientId: `client-${essay}` };
    expect(await t.call('POST core/essay/group/chat', message, { token: by })).toMatchObject({
      success: true,
    });
  }
  const [{ id: suheId }] = (await t.query(`select user_id as id from accounts where name = 'suhe'`)) as [
    { id: string },
  ];
  for (const [toUserId, by] of [
    [suheId, token],
    [user.id, suhe],
  ] as const) {
    await t.call('POST core/essay/pri/msg', { toUserId, content: '写一封' }, { token: by });
    await t.call(
      'POST core/essay/pri/chat',
      { toUserId, content: '说说', clientId: 'client-1' },
      { token: by },
    );
  }
  const getUnread = () => t.call('GET core/essay/chat/unread', {}, { token });
  expect((await getUnread()).data).toMatchObject({ letters: 1, chats: 1 });
  const pay = async (kind: string, more: object, by: string, payBy: string) => {
    const route = kind === 'reward' ? 'POST core/essay/reward' : 'POST core/user/order';
    const input = kind === 'reward' ? { payBy, ...more } : { kind, payBy, ...more };
    const { data } = await t.call(route, input, { token: by });
    if (payBy === 'sandbox')
      await t.call('PUT core/user/order', { id: data.id, action: 'pay' }, { token: by });
  };
  const [sold] = (await t.query("select id from essays where title like 'B+树%'")) as [{ id: string }];
  await pay('recharge', { amount: 5000 }, token, 'sandbox');
  await pay('read', { targetId: String(sold.id).replaceAll('-', '') }, token, 'balance');
  await pay('reward', { essayId, amount: 500 }, suhe, 'sandbox');
  expect((await t.call('GET core/user/wallet', {}, { token })).data.balance).toBe(4700);
  const follow = (userId: string, token: string) => t.call('POST core/essay/follow', { userId }, { token });
  await follow(user.id, suhe);
  await follow(String(demo[0]?.author_id).replaceAll('-', ''), token);
  expect(await findDifferences()).toEqual([]);
  expect(await removeDemo(systemCtx(t.app.services))).toBe(USER_COUNT);
  expect(await listDemoUsers()).toEqual([]);
  expect(await listBanners()).toEqual([]);
  expect(await findDifferences()).toEqual([]);
  expect(await findReferences(ids)).toEqual([]);
  for (const table of ['contacts', 'letter_threads', 'letters', 'letter_places'])
    expect(await t.query(`select 1 from ${table}`), table).toEqual([]);
  expect((await getUnread()).data).toEqual({ letters: 0, chats: 0, rooms: 0 });
  // In the room of another user's essay, an empty message remains.
  expect(
    await t.query(
      'select from_id, content, html, essay_id from chat_messages join conversations on conversations.id = conversation_id',
    ),
  ).toEqual([{ from_id: null, content: '', html: '', essay_id: essayId }]);
  expect(await Array.fromAsync(t.app.services.files.list())).toEqual([]);
  await seedInstallation({
    ...systemCtx(t.app.services),
    services: { ...t.app.services, config: { ...t.app.services.config, demo: true } },
  });
  expect(await listDemoUsers()).toEqual([]);
  expect((await t.call('GET core/user/public', { id: user.id })).success).toBe(true);
  const { list, total } = (await t.call('GET core/essay/', {})).data;
  expect([list.map(({ id }) => id), total]).toEqual([[essayId], 1]);
  expect(list[0]).toMatchObject({ likeCount: 0, cmtCount: 0, rewardCount: 0 });
  // The purchase from a demo writer is reversed; the user's recharge stays.
  expect((await t.call('GET core/user/wallet', {}, { token })).data.balance).toBe(5000);
  expect((await t.call('GET core/user/wallet', {}, { token: writer.token })).data.earnings).toBe(0);
  expect((await t.call('GET core/essay/tag', {})).data).toEqual([]);
  expect((await t.call('GET core/essay/', { keyword: '任务队列' })).data.total).toBe(0);
});
