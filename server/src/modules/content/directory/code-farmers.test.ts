import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const save = (token: string | undefined, input: object) => t.call('PUT core/code/farmer/', input, { token });
const list = (input: object = {}) => t.call('GET core/code/farmer/', input);
const names = async (input: object = {}) =>
  (await list({ pageSize: 100, ...input })).data.list.map((each) => each.user.displayName);

async function makeFarmer(displayName: string, card: object) {
  const person = await t.register(undefined, { displayName });
  const saved = await save(person.token, card);
  expect(saved.errorMessage).toBeUndefined();
  t.advance(1000);
  return person;
}

test('creates a card with at least one skill, changes single fields and removes it', async () => {
  const { token, user } = await t.register(undefined, { displayName: '林砚' });
  expect((await t.call('GET core/code/farmer/card', {}, { token })).data).toBeNull();
  expect(await save(token, { city: '杭州' })).toMatchObject({
    status: 422,
    fields: { skills: expect.any(String) },
  });
  const first = await save(token, { skills: ['Rust', '算法'], years: 8 });
  expect(first.data).toMatchObject({
    user: { id: user.id, displayName: '林砚' },
    skills: ['Rust', '算法'],
    skillNames: ['Rust', '算法'],
    years: 8,
    city: '',
    homepage: '',
    openToWork: false,
    intro: '',
  });
  const later = await save(token, { city: '杭州', homepage: 'https://lin.example/', openToWork: true });
  expect(later.data).toMatchObject({ skills: ['Rust', '算法'], years: 8, city: '杭州', openToWork: true });
  expect((await t.call('GET core/code/farmer/card', { userId: user.id })).data).toEqual(later.data);
  expect(await names()).toEqual(['林砚']);
  expect((await t.call('DELETE core/code/farmer/', {}, { token })).success).toBe(true);
  expect((await t.call('DELETE core/code/farmer/', {}, { token })).success).toBe(true);
  expect((await t.call('GET core/code/farmer/card', { userId: user.id })).data).toBeNull();
  expect((await list()).data).toMatchObject({ list: [], total: 0 });
});

test('lets visitors read but not write', async () => {
  expect((await save(undefined, { skills: ['Go'] })).status).toBe(401);
  expect((await t.call('DELETE core/code/farmer/')).status).toBe(401);
  expect((await t.call('GET core/code/farmer/card')).status).toBe(401);
  expect((await list()).status).toBe(200);
});

test('rejects invalid fields and names them', async () => {
  const { token } = await t.register();
  const wrong: [object, string][] = [
    [{ skills: ['炼金术'] }, 'skills'],
    [{ skills: ['Go', 'Go'] }, 'skills'],
    [{ skills: [] }, 'skills'],
    [{ skills: Array.from({ length: 11 }, () => 'Go') }, 'skills'],
    [{ skills: ['Go'], years: 61 }, 'years'],
    [{ skills: ['Go'], homepage: 'javascript:alert(1)' }, 'homepage'],
    [{ skills: ['Go'], intro: '长'.repeat(201) }, 'intro'],
  ];
  for (const [input, field] of wrong) {
    const response = await save(token, input);
    expect(response.status, JSON.stringify(input)).toBe(422);
    expect(Object.keys(response.fields ?? {}).join(), JSON.stringify(input)).toContain(field);
  }
  expect((await save(token, { skills: ['炼金术'] })).errorMessage).toContain('炼金术');
  expect((await t.call('GET core/code/farmer/card', {}, { token })).data).toBeNull();
});

test('masks or refuses sensitive words', async () => {
  const admin = await t.signInAdmin();
  for (const [word, level] of [
    ['招财进宝', 'mask'],
    ['代写论文', 'hold'],
    ['赌场直营', 'refuse'],
  ] as const)
    expect((await t.call('POST core/sys/word/', { words: [word], level }, { token: admin })).success).toBe(
      true,
    );
  const { token } = await t.register();
  const hidden = await save(token, { skills: ['Go'], intro: '祝你招财进宝' });
  expect(hidden.data.intro).toBe('祝你＊＊＊＊');
  for (const intro of ['承接代写论文', '赌场直营'])
    expect(await save(token, { intro })).toMatchObject({
      errorCode: 'WORDS_REFUSED',
      fields: { intro: expect.any(String) },
    });
  expect(await save(token, { city: '赌场直营' })).toMatchObject({ errorCode: 'WORDS_REFUSED' });
  await t.call('DELETE core/code/farmer/', {}, { token });
});

test('finds users by skill, city, name and intro, last updated first, without disabled accounts', async () => {
  const a = await makeFarmer('阿黛', {
    skills: ['Rust', 'Go'],
    city: '上海',
    openToWork: true,
    intro: '写数据库内核',
  });
  await makeFarmer('波函', { skills: ['Go'], city: '上海浦东', intro: '折腾 100% 的网关' });
  const c = await makeFarmer('陈皮', { skills: ['Vue'], city: '成都', intro: '前端' });
  expect(await names()).toEqual(['陈皮', '波函', '阿黛']);
  expect(await names({ skill: 'Go' })).toEqual(['波函', '阿黛']);
  expect(await names({ skill: '没有' })).toEqual([]);
  expect(await names({ city: '上海' })).toEqual(['波函', '阿黛']);
  expect(await names({ openToWork: 1 })).toEqual(['阿黛']);
  expect(await names({ keyword: '数据库' })).toEqual(['阿黛']);
  expect(await names({ keyword: '波' })).toEqual(['波函']);
  expect(await names({ keyword: '0%' })).toEqual(['波函']);
  expect(await names({ keyword: '_' })).toEqual([]);
  expect(await names({ skill: 'Go', city: '上海', keyword: '阿' })).toEqual(['阿黛']);
  expect((await list({ skill: 'Go' })).data.total).toBe(2);

  await save(a.token, { years: 3 });
  const first = await list({ pageSize: 2 });
  expect(first.data).toMatchObject({ total: 3, list: [{ user: { displayName: '阿黛' } }, {}] });
  const second = await list({ pageSize: 2, cursor: first.data.next ?? '' });
  expect(second.data).toMatchObject({ next: null, list: [{ user: { displayName: '波函' } }] });

  await t.app.services.pool.query('update accounts set enabled = false where user_id = $1', [c.user.id]);
  expect((await list()).data.total).toBe(2);
  expect((await t.call('GET core/code/farmer/card', { userId: c.user.id })).data).toBeNull();
});

test('creates one card from two concurrent first saves, with both changes', async () => {
  const { token, user } = await t.register();
  const responses = await Promise.all([
    save(token, { skills: ['Go'], city: '北京' }),
    save(token, { skills: ['Go'], years: 5 }),
  ]);
  expect(responses.every((each) => each.success)).toBe(true);
  const changes = await Promise.all([
    save(token, { intro: '你好' }),
    save(token, { homepage: 'http://a.example/' }),
  ]);
  expect(changes.every((each) => each.success)).toBe(true);
  const { data } = await t.call('GET core/code/farmer/card', { userId: user.id });
  expect(data).toMatchObject({
    skills: ['Go'],
    city: '北京',
    years: 5,
    intro: '你好',
    homepage: 'http://a.example/',
  });
});

test('shows a removed skill by its value and no longer accepts it', async () => {
  const { token } = await t.register();
  const { data } = await save(token, { skills: ['PHP'] });
  await t.app.services.pool.query("update dict_items set enabled = false where value = 'PHP'");
  expect((await t.call('GET core/code/farmer/card', {}, { token })).data).toMatchObject({
    skillNames: ['PHP'],
  });
  expect(await save(token, { skills: data.skills })).toMatchObject({ status: 422 });
  expect((await save(token, { years: 1 })).success).toBe(true);
});

test('counts a long directory up to a thousand', async () => {
  await t.app.services.pool.query(`
    with made as (
      insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
      select uuidv7(), '众人之一', 1, 'many-' || n, now(), now() from generate_series(1, 1100) n returning id
    ), named as (
      insert into accounts (user_id, name, password_hash, updated_at)
      select id, 'many-' || id, '', now() from made
    )
    insert into farmers (user_id, skills, city, updated_at)
    select id, '{Zig}', '众城', now() - interval '1 day' from made`);
  expect((await list({ skill: 'Zig' })).data.total).toBe(1001);
  expect((await list({ keyword: '众人' })).data.total).toBe(1001);
});
