import { randomUUID } from 'node:crypto';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { talk } from '../testing/comments.ts';
import { essayFields, makeWriter, publishEssay, type Writer } from '../testing/essays.ts';

let t: TestApp;
let c: ReturnType<typeof talk>;
let author: Writer;
let reader: Writer;
beforeAll(async () => {
  t = await startTestApp();
  c = talk(t);
  author = await makeWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
});
afterAll(() => t.close());

/** How many transactions of repeatable calls were open each time a text was about to be laid out. */
let open: number[] = [];
beforeAll(() => {
  const { run } = Piscina.prototype;
  vi.spyOn(Piscina.prototype, 'run').mockImplementation(async function (this: Piscina, ...job) {
    // Databases of other tests have tables of the same number.
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

test('no transaction waits for a text to be laid out', async () => {
  const once = () => ({ requestId: randomUUID() });
  const essayId = await publishEssay(t, author);
  open = [];
  const { data: said } = await c.say(essayId, '说', reader.token, once());
  expect((await c.reply(said.id, '回', author.token, once())).success).toBe(true);
  expect((await c.edit(said.id, { content: '改', ...once() }, reader.token)).success).toBe(true);
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

test('a repeat gets the first answer, also when it could no longer be done', async () => {
  const essayId = await publishEssay(t, author);
  const requestId = randomUUID();
  const { data: said } = await c.say(essayId, '说', reader.token);
  const reply = () => c.reply(said.id, '只有一次', author.token, { requestId });
  const answers = await Promise.all([reply(), reply(), reply()]);
  expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1);
  expect(await c.cmtCount(essayId)).toBe(2);
  await c.remove(said.id, reader.token);
  expect((await reply()).data).toEqual(answers[0]?.data);
  expect((await c.reply(said.id, '另一次', author.token, { requestId: randomUUID() })).errorCode).toBe(
    'GONE',
  );
});
