import { randomUUID } from 'node:crypto';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { commentCalls } from '../testing/comments.ts';
import { createWriter, essayFields, publishEssay, type TestUser } from '../testing/essays.ts';

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
let author: TestUser;
let reader: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
});
afterAll(() => t.close());

/** Number of open idempotent transactions each time a text is about to be rendered. */
let open: number[] = [];
beforeAll(() => {
  const { run } = Piscina.prototype;
  vi.spyOn(Piscina.prototype, 'run').mockImplementation(async function (this: Piscina, ...job) {
    // Databases of other tests have tables with the same OID.
    const locks = `
      select count(*)::int as open from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and relation = 'requests'::regclass and mode = 'RowExclusiveLock'`;
    const { rows } = await t.app.services.pool.query<{ open: number }>(locks);
    open.push(rows[0]?.open ?? Number.NaN);
    return run.apply(this, job);
  });
  return () => vi.mocked(Piscina.prototype.run).mockRestore();
});
beforeEach(() => {
  open = [];
});

test('no transaction is open while a text is rendered', async () => {
  const once = () => ({ requestId: randomUUID() });
  const essayId = await publishEssay(t, author);
  open = [];
  const { data: comment } = await c.addComment(essayId, '说', reader.token, once());
  expect((await c.reply(comment.id, '回', author.token, once())).success).toBe(true);
  expect((await c.edit(comment.id, { content: '改', ...once() }, reader.token)).success).toBe(true);
  expect(open).toEqual([0, 0, 0]);

  const { token } = author;
  open = [];
  const handIn = { ...(await essayFields(t)), status: 1, ...once() };
  const { data: written } = await t.call('POST core/essay/', handIn, { token });
  await t.call('PUT core/essay/status', { id: written.id, status: 0, ...once() }, { token });
  const again = await t.call('PUT core/essay/status', { id: written.id, status: 1, ...once() }, { token });
  expect(again.data).toMatchObject({ status: 1 });
  await t.call('PUT core/essay/status', { id: written.id, status: 0, ...once() }, { token });
  const changed = { id: written.id, version: written.version, title: '改过', status: 1, ...once() };
  expect((await t.call('PUT core/essay/', changed, { token })).success).toBe(true);
  expect(open).toEqual([0, 0, 0]);
});

test('a repeat returns the first response even if the call would fail now', async () => {
  const essayId = await publishEssay(t, author);
  const requestId = randomUUID();
  const { data: comment } = await c.addComment(essayId, '说', reader.token);
  const reply = () => c.reply(comment.id, '只有一次', author.token, { requestId });
  const responses = await Promise.all([reply(), reply(), reply()]);
  expect(new Set(responses.map((response) => response.data.id)).size).toBe(1);
  expect(await c.cmtCount(essayId)).toBe(2);
  await c.remove(comment.id, reader.token);
  expect((await reply()).data).toEqual(responses[0]?.data);
  expect((await c.reply(comment.id, '另一次', author.token, { requestId: randomUUID() })).errorCode).toBe(
    'GONE',
  );
});
