import type { EssayFields, EssayStatus } from '@mozhan/contract/essays.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  createWriter,
  essayFields,
  publishEssay,
  submitEssay,
  type TestUser,
} from '../../../testing/essays.ts';
import { createStaffWithRole } from '../../../testing/staff.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
let auditor: string;
let operator: string;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  stranger = await createWriter(t, '别人');
  auditor = (await createStaffWithRole(t, 'auditor')).token;
  operator = (await createStaffWithRole(t, 'operator')).token;
});
afterAll(() => t.close());

const change = (id: string, status: EssayStatus, token: string | undefined, more: object = {}) =>
  t.call('PUT core/essay/status', { id, status, ...more }, { token });
const stateOf = async (id: string) =>
  (await t.call('GET core/essay/{id}/source', { id }, { token: author.token })).data;
const readStatus = async (id: string, token?: string) =>
  (await t.call('GET core/essay/{id}', { id }, { token })).status;
const draft = async (more: Partial<EssayFields> = {}) =>
  (await t.call('POST core/essay/', await essayFields(t, more), { token: author.token })).data;
const notices = async () =>
  (await t.call('GET core/user/notice', {}, { token: author.token })).data.list.map(({ text }) => text);

/** Creates an essay and moves it to a status by regular transitions. */
async function createInStatus(status: EssayStatus): Promise<string> {
  if (status === 0) return (await draft()).id;
  const id = await submitEssay(t, author);
  const steps: Record<number, [EssayStatus, string][]> = {
    1: [],
    2: [[2, auditor]],
    3: [
      [2, auditor],
      [3, author.token],
    ],
    4: [
      [2, auditor],
      [3, author.token],
      [4, author.token],
    ],
    5: [[5, auditor]],
  };
  for (const [to, token] of steps[status] ?? []) {
    const response = await change(id, to, token, to === 5 ? { reason: '与技术无关' } : {});
    expect(response.errorMessage).toBeUndefined();
  }
  return id;
}

const all: EssayStatus[] = [0, 1, 2, 3, 4, 5];

test.each([
  [0, 1, 'author'],
  [1, 0, 'author'],
  [1, 2, 'auditor'],
  [1, 5, 'auditor'],
  [2, 3, 'author'],
  [2, 3, 'operator'],
  [2, 0, 'author'],
  [4, 0, 'author'],
  [5, 0, 'author'],
  [5, 1, 'author'],
  [3, 4, 'author'],
  [3, 4, 'operator'],
  [4, 3, 'author'],
  [4, 3, 'operator'],
] as const)('changes status %i to %i by the %s', async (from, to, role) => {
  const id = await createInStatus(from);
  const response = await change(id, to, { author: author.token, auditor, operator }[role], {
    reason: '因为',
  });
  expect(response.errorMessage).toBeUndefined();
  expect((await stateOf(id)).status).toBe(to);
});

// All refused transitions are tested in rules.test.ts.
test.each(all)('rejects unauthorized changes from status %i', async (from) => {
  const id = await createInStatus(from);
  const refusal = async (to: EssayStatus, token?: string) =>
    (await change(id, to, token, { reason: '因为' })).errorCode;
  expect(await refusal(0)).toBe('SIGN_IN_REQUIRED');
  // Other users cannot tell whether an unpublished essay exists.
  expect(await refusal(0, stranger.token)).toBe(from === 3 ? 'FORBIDDEN' : 'NOT_FOUND');
  expect(await refusal(from, author.token), 'no change at all').toBe('TRANSITION_REFUSED');
  expect(await refusal(2, operator)).toBe(from === 1 ? 'FORBIDDEN' : 'TRANSITION_REFUSED');
  expect((await stateOf(id)).status).toBe(from);
});

test('records every change with user, time and reason', async () => {
  const id = await createInStatus(5);
  await change(id, 1, author.token);
  const { data } = await t.call('GET core/sys/essay/audit', { id }, { token: auditor });
  expect(data.records.map(({ fromStatus, toStatus, reason }) => [fromStatus, toStatus, reason])).toEqual([
    [5, 1, ''],
    [1, 5, '与技术无关'],
    [0, 1, ''],
  ]);
  expect(data.records[0]?.user?.id).toBe(author.user.id);
});

test('shows the records of any essay to staff only', async () => {
  const id = await createInStatus(3);
  const records = (token?: string) => t.call('GET core/sys/essay/record', { id }, { token });
  expect((await records()).status).toBe(401);
  expect((await records(author.token)).status).toBe(403);
  expect((await records(operator)).data.map(({ toStatus }) => toStatus)).toEqual([3, 2, 1]);
});

test('shows the settings of an essay to the auditor', async () => {
  const id = await submitEssay(t, author, { declaration: 'ai-assisted', price: 990, tags: ['一', '二'] });
  const { data } = await t.call('GET core/sys/essay/audit', { id }, { token: auditor });
  const facts = Object.fromEntries(data.facts.map(({ field, value }) => [field, value]));
  expect(facts).toMatchObject({ 创作声明: 'AI 辅助', 价格: '9.9 元', 标签: '一、二', 试读比例: '30%' });
});

test('requires a reason for rejection and removal by staff, and notifies the author', async () => {
  const id = await createInStatus(1);
  expect(await change(id, 5, auditor)).toMatchObject({ status: 422, errorCode: 'REASON_REQUIRED' });
  await change(id, 5, auditor, { reason: '事实有误' });
  const { title, rejection } = await stateOf(id);
  expect(rejection).toMatchObject({ reason: '事实有误', canAppeal: true });
  expect(await notices()).toContain(`《${title}》没有通过审核：事实有误`);
  const { data } = await t.call('GET core/user/notice', {}, { token: author.token });
  expect(data.list[0]?.target).toEqual({ title, url: `/essay/edit.html?id=${id}` });

  const other = await createInStatus(3);
  expect(await change(other, 4, operator)).toMatchObject({ status: 422, errorCode: 'REASON_REQUIRED' });
  await change(other, 4, operator, { reason: '有人投诉' });
  expect(await notices()).toContain(`《${(await stateOf(other)).title}》被下架：有人投诉`);
  // The author cannot put back an essay that staff took off the shelf.
  expect(await change(other, 3, author.token)).toMatchObject({ status: 403 });
  expect(await change(other, 3, operator)).toMatchObject({ success: true });
});

test('writes changes by staff to the operation log', async () => {
  const id = await createInStatus(2);
  await change(id, 3, operator);
  const token = await t.signInAdmin();
  const { data } = await t.call('GET core/sys/log/', {}, { token });
  const entry = data.list.find(({ target }) => target === `essay:${id}`);
  expect(entry).toMatchObject({ call: 'PUT core/essay/status', before: { status: 2 }, after: { status: 3 } });
});

test('requires title, category and content for submission', async () => {
  const { data } = await t.call('POST core/essay/', {}, { token: author.token });
  expect(data.version).toBe(1);
  const response = await change(data.id, 1, author.token);
  expect(response).toMatchObject({ status: 422, errorCode: 'ESSAY_INCOMPLETE' });
  expect(Object.keys(response.fields ?? {})).toEqual(['title', 'categoryId', 'content']);
  expect((await stateOf(data.id)).status).toBe(0);
});

test('does not create an essay when its submission fails', async () => {
  const before = (await t.call('GET core/essay/', { mine: 1 }, { token: author.token })).data.total;
  const response = await t.call(
    'POST core/essay/',
    { title: '只有标题', status: 1 },
    { token: author.token },
  );
  expect(response.errorCode).toBe('ESSAY_INCOMPLETE');
  expect((await t.call('GET core/essay/', { mine: 1 }, { token: author.token })).data.total).toBe(before);
});

test('requires the source of a reprint', async () => {
  const response = await t.call(
    'POST core/essay/',
    { ...(await essayFields(t, { declaration: 'reprint' })), status: 1 },
    { token: author.token },
  );
  expect(response.fields).toEqual({ source: '转载请填写原文地址' });
});

test('shows an essay to others only while it is on the shelf', async () => {
  for (const status of all) {
    const id = await createInStatus(status);
    const expected = status === 3 ? 200 : 404;
    expect(await readStatus(id)).toBe(expected);
    expect(await readStatus(id, stranger.token)).toBe(expected);
    expect(await readStatus(id, author.token)).toBe(200);
    expect(await readStatus(id, auditor)).toBe(200);
  }
});

test('allows editing in status 0, 3 and 5 only, and changes 5 to 0', async () => {
  for (const status of all) {
    const id = await createInStatus(status);
    const { version } = await stateOf(id);
    const response = await t.call(
      'PUT core/essay/',
      { id, version, content: '改过的正文' },
      { token: author.token },
    );
    const source = await stateOf(id);
    if (status === 0 || status === 3 || status === 5) {
      expect(response.data.version).toBe(version + 1);
      expect(source).toMatchObject({ content: '改过的正文', status: status === 5 ? 0 : status });
    } else {
      expect(response.errorCode).toBe('ESSAY_NOT_EDITABLE');
      expect(source.content).not.toBe('改过的正文');
    }
  }
});

describe('the revision of an on-shelf essay', () => {
  const submitRevision = async (id: string) => {
    const { version } = await stateOf(id);
    await t.call(
      'PUT core/essay/',
      { id, version, title: '新的标题', content: '新的正文' },
      { token: author.token },
    );
    return change(id, 1, author.token, { revision: true });
  };
  const readers = async (id: string) => (await t.call('GET core/essay/{id}', { id })).data;

  test('readers see the audited text until the revision is approved', async () => {
    const id = await publishEssay(t, author, { title: '旧的标题', content: '旧的正文' });
    expect((await submitRevision(id)).data).toMatchObject({ status: 3, revision: 1 });
    expect(await readers(id)).toMatchObject({ title: '旧的标题', html: expect.stringContaining('旧的正文') });
    // It cannot be edited while it waits for the audit.
    const { version } = await stateOf(id);
    const edit = await t.call('PUT core/essay/', { id, version, content: '偷偷改' }, { token: author.token });
    expect(edit.errorCode).toBe('ESSAY_NOT_EDITABLE');

    const audit = (await t.call('GET core/sys/essay/audit', { id }, { token: auditor })).data;
    expect(audit).toMatchObject({ revision: 1, content: '新的正文', publishedContent: '旧的正文' });
    expect(audit.changes).toContainEqual({ field: '标题', before: '旧的标题', after: '新的标题' });
    expect((await change(id, 3, auditor, { revision: true })).data).toMatchObject({
      status: 3,
      revision: null,
    });
    expect(await readers(id)).toMatchObject({ title: '新的标题', html: expect.stringContaining('新的正文') });
    expect(await notices()).toContain('《旧的标题》的修订通过了审核，读者看到的已是新的内容');
  });

  test('can be rejected, withdrawn and submitted again without changing the public text', async () => {
    const id = await publishEssay(t, author, { content: '旧的正文' });
    await submitRevision(id);
    expect(await change(id, 5, auditor, { revision: true })).toMatchObject({ errorCode: 'REASON_REQUIRED' });
    await change(id, 5, auditor, { revision: true, reason: '不如旧的' });
    expect(await stateOf(id)).toMatchObject({ status: 3, revision: 5, rejection: { reason: '不如旧的' } });
    await change(id, 1, author.token, { revision: true });
    expect((await change(id, 0, author.token, { revision: true })).data.revision).toBe(0);
    expect((await readers(id)).html).toContain('旧的正文');
    expect(await change(id, 3, auditor, { revision: true })).toMatchObject({
      errorCode: 'TRANSITION_REFUSED',
    });
    expect(await change(id, 1, stranger.token, { revision: true })).toMatchObject({ status: 403 });
  });
});

test('changes whether comments are allowed immediately, also during an audit', async () => {
  const id = await publishEssay(t, author, { title: '可评可不评' });
  const save = async (input: object) =>
    t.call(
      'PUT core/essay/',
      { id, version: (await stateOf(id)).version, ...input },
      { token: author.token },
    );
  const isOpen = async () => (await t.call('GET core/essay/{id}', { id })).data.allowComment;
  expect((await save({ allowComment: false })).data.version).toBe(1);
  expect(await isOpen()).toBe(false);
  expect(await stateOf(id)).toMatchObject({ version: 1, revision: null, allowComment: false });
  await save({ allowComment: true, title: '改了标题' });
  expect([await isOpen(), (await t.call('GET core/essay/{id}', { id })).data.title]).toEqual([
    true,
    '可评可不评',
  ]);
  await change(id, 1, author.token, { revision: true });
  expect((await save({ allowComment: false })).success).toBe(true);
  expect((await save({ allowComment: false, title: '又改' })).errorCode).toBe('ESSAY_NOT_EDITABLE');
  expect((await save({ version: 1, allowComment: true })).errorCode).toBe('STALE_VERSION');
  await change(id, 3, auditor, { revision: true });
  expect(await isOpen()).toBe(false);
  for (const status of [4, 3] as const) await change(id, status, author.token);
  expect(await isOpen()).toBe(false);
  // Comments were not allowed when version 1 was on the shelf.
  await save({ allowComment: true });
  const restored = await t.call('POST core/essay/{id}/revision/restore', { id, revision: 1 }, author);
  expect([restored.success, await isOpen()]).toEqual([true, true]);
});

test('rejects an audit decision about an outdated version', async () => {
  const id = await submitEssay(t, author);
  const { data } = await t.call('GET core/sys/essay/audit', { id }, { token: auditor });
  await change(id, 0, author.token);
  await t.call('PUT core/essay/', { id, version: 1, content: '换了内容' }, { token: author.token });
  await change(id, 1, author.token);
  expect(await change(id, 2, auditor, { version: data.version })).toMatchObject({ status: 409 });
  expect((await change(id, 2, auditor, { version: data.version + 1 })).success).toBe(true);
});

test('accepts only one of several concurrent audit decisions', async () => {
  const id = await submitEssay(t, author);
  const responses = await Promise.all([
    change(id, 2, auditor),
    change(id, 5, auditor, { reason: '不行' }),
    change(id, 2, auditor),
  ]);
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  expect(responses.filter(({ errorCode }) => errorCode === 'TRANSITION_REFUSED')).toHaveLength(2);
});

test('handles a removed column or category when an essay is shelved', async () => {
  const admin = await t.signInAdmin();
  const column = await t.call('POST core/essay/column', { name: '会删掉的' }, { token: author.token });
  const inColumn = await submitEssay(t, author, { columnId: (column.data as { id: string }).id });
  await t.call(
    'DELETE core/essay/column',
    { id: (column.data as { id: string }).id },
    { token: author.token },
  );
  await change(inColumn, 2, auditor);
  expect((await change(inColumn, 3, author.token)).success).toBe(true);
  expect((await t.call('GET core/essay/{id}', { id: inColumn })).data.column).toBeNull();

  const category = await t.call('POST core/sys/category/', { slug: 'brief', name: '短命' }, { token: admin });
  const id = await publishEssay(t, author);
  await t.call(
    'PUT core/essay/',
    { id, version: 1, categoryId: category.data.id, status: 1 },
    { token: author.token },
  );
  expect(
    (await t.call('DELETE core/sys/category/', { id: category.data.id }, { token: admin })).success,
  ).toBe(true);
  expect(await change(id, 3, auditor, { revision: true })).toMatchObject({
    errorCode: 'TRANSITION_REFUSED',
    errorMessage: '文章的分类已被删除，请作者重新选择',
  });
  expect((await t.call('GET core/essay/{id}', { id })).data.category?.slug).toBe('tech');
});

test('keeps an unfinished revision while the essay is off the shelf', async () => {
  const id = await publishEssay(t, author, { content: '审过的' });
  await t.call('PUT core/essay/', { id, version: 1, content: '改了一半' }, { token: author.token });
  await change(id, 4, author.token);
  await change(id, 3, author.token);
  expect(await stateOf(id)).toMatchObject({ status: 3, revision: 0, content: '改了一半', version: 2 });
  expect((await t.call('GET core/essay/{id}', { id })).data.html).toContain('审过的');
  expect((await change(id, 1, author.token, { revision: true })).success).toBe(true);
});

test('lets a former writer withdraw essays but not submit or shelve them', async () => {
  const former = await createWriter(t, '从前的作者');
  const ready = await submitEssay(t, former);
  await change(ready, 2, auditor);
  const waiting = await submitEssay(t, former);
  await t.app.services.pool.query('update users set cur_identity = 1 where id = $1', [former.user.id]);
  expect((await change(ready, 3, former.token)).status).toBe(403);
  expect((await change(waiting, 0, former.token)).success).toBe(true);
  expect((await change(waiting, 1, former.token)).status).toBe(403);
});

test('returns no server error when essays are shelved and reordered concurrently', async () => {
  const column = (await t.call('POST core/essay/column', { name: '热闹' }, { token: author.token })).data as {
    id: string;
  };
  const made: string[] = [];
  for (const tags of [
    ['甲', '乙'],
    ['乙', '甲'],
    ['丙', '甲'],
  ])
    made.push(await publishEssay(t, author, { columnId: column.id, tags }));
  const toggle = async (id: string) => {
    for (const status of [4, 3, 4, 3] as const) {
      const response = await change(id, status, author.token);
      expect(response.status).toBeLessThan(500);
    }
  };
  const reorder = async () => {
    for (let i = 0; i < 8; i += 1) {
      const essayIds = i % 2 === 0 ? made : made.toReversed();
      const response = await t.call(
        'PUT core/essay/column',
        { id: column.id, essayIds },
        { token: author.token },
      );
      expect(response.status).toBeLessThan(500);
    }
  };
  await Promise.all([...made.map(toggle), reorder(), reorder()]);
});

describe('an appeal', () => {
  const sendAppeal = (id: string, token = author.token, text = '请再看一次') =>
    t.call('POST core/essay/appeal', { id, text }, { token });

  test('returns a rejected essay to the queue once', async () => {
    const id = await createInStatus(5);
    expect((await sendAppeal(id, stranger.token)).status).toBe(404);
    expect((await sendAppeal(id, author.token, ' ')).status).toBe(422);
    expect((await sendAppeal(id)).success).toBe(true);
    expect((await stateOf(id)).status).toBe(1);
    const queue = (await t.call('GET core/sys/essay/queue', { pageSize: 100 }, { token: auditor })).data.list;
    expect(queue.find((essay) => essay.id === id)).toMatchObject({ appeal: true });
    const audit = await t.call('GET core/sys/essay/audit', { id }, { token: auditor });
    expect(audit.data.appealText).toBe('请再看一次');
    await change(id, 5, auditor, { reason: '还是不行' });
    expect((await stateOf(id)).rejection).toMatchObject({ canAppeal: false });
    expect((await sendAppeal(id)).errorCode).toBe('APPEAL_REFUSED');
  });

  test('requires a rejection', async () => {
    expect((await sendAppeal(await createInStatus(0))).errorCode).toBe('APPEAL_REFUSED');
    expect((await sendAppeal(await createInStatus(3))).errorCode).toBe('APPEAL_REFUSED');
  });
});

describe('deleting', () => {
  const remove = (id: string, token: string | undefined, more: object = {}) =>
    t.call('DELETE core/essay/{id}', { id, ...more }, { token });

  test('is allowed to the author and to staff with a reason, and returns 410 afterwards', async () => {
    const id = await publishEssay(t, author);
    expect((await remove(id, undefined)).status).toBe(401);
    expect((await remove(id, stranger.token)).status).toBe(403);
    expect((await remove(id, auditor)).status).toBe(403);
    expect((await remove(id, author.token)).success).toBe(true);
    expect(await readStatus(id)).toBe(410);
    expect((await remove(id, author.token)).status).toBe(410);
    const { rows } = await t.app.services.pool.query(
      `select (select count(*) from essay_revisions where essay_id = $1) as revisions,
        (select count(*) from essay_texts where essay_id = $1) as texts`,
      [id],
    );
    expect(rows).toEqual([{ revisions: 0, texts: 0 }]);

    const other = await publishEssay(t, author, { title: '会被删掉的' });
    expect((await remove(other, operator)).status).toBe(422);
    expect((await remove(other, operator, { reason: '违规' })).success).toBe(true);
    expect(await notices()).toContain('《会被删掉的》被删除：违规');
  });

  test('returns 404 for a draft of another user', async () => {
    expect((await remove((await draft()).id, stranger.token)).status).toBe(404);
  });
});

test('all counts are correct after the tests above', async () => {
  const { rows } = await t.app.services.pool.query(`
    with shelved as (select * from essays where status = 3)
    select 'all' as what from essay_counts where key = '' and count <> (select count(*) from shelved)
    union all select 'category ' || key from essay_counts
      where key <> '' and count <> (select count(*) from shelved where category_id = key::uuid)
    union all select 'tag ' || name from tags
      where essay_count <> (select count(*) from shelved where name = any (tags))
    union all select 'tag list ' || tag from essay_tags
      where not exists (select 1 from shelved where id = essay_id and published_at = essay_tags.published_at)
    union all select 'writer ' || display_name from users
      where essay_count <> (select count(*) from shelved where author_id = users.id)
    union all select 'column ' || name from columns
      where essay_count <> (select count(*) from shelved where column_id = columns.id)
    union all select 'search' from (
      select id from search_essays except select id from shelved
      union all select id from shelved except select id from search_essays) odd`);
  expect(rows).toEqual([]);
});
