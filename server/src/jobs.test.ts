import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from './ctx.ts';
import { addJob, addJobs, startJobs, startJobsLater, systemCtx } from './jobs.ts';
import { startTestApp, type TestApp } from './testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
});
afterAll(() => t.close());

const count = async (table: string) =>
  (await t.app.services.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;
const run = (name: string) => inTransaction(systemCtx(t.app.services), (ctx) => addJob(ctx, name, {}));

test('expire-sign-ins deletes expired sessions, tokens and QR tickets only', async () => {
  const { token } = await t.register();
  await t.call('GET core/user/qrcode/login');
  t.advance(31 * 24 * 3600_000);
  const fresh = await t.register();
  await t.call('GET core/user/qrcode/login');
  expect([await count('qr_tickets'), await count('sessions'), await count('session_tokens')]).toEqual([
    2, 2, 2,
  ]);
  await run('expire-sign-ins');
  await expect
    .poll(async () => [await count('qr_tickets'), await count('sessions'), await count('session_tokens')])
    .toEqual([1, 1, 1]);
  expect((await t.call('GET core/user/', {}, { token: fresh.token })).success).toBe(true);
  expect((await t.call('GET core/user/', {}, { token })).status).toBe(401);
});

test('expire-requests deletes stored responses after a day and past rate-limit windows', async () => {
  const { token } = await t.register();
  await t.app.services.pool.query(
    "insert into rate_limits values ('past', now() - interval '1 year', 1), ('to come', now() + interval '1 year', 1)",
  );
  await t.call('PUT core/user/', { bio: '旧', requestId: 'old' }, { token });
  t.advance(25 * 3600_000);
  await t.call('PUT core/user/', { bio: '新', requestId: 'new' }, { token });
  await run('expire-requests');
  const left = async () => [
    ...(await t.app.services.pool.query('select request_id as name from requests')).rows,
    ...(await t.app.services.pool.query('select key as name from rate_limits')).rows,
  ];
  await expect.poll(left).toEqual([{ name: 'new' }, { name: 'to come' }]);
});

test('a job added in a failed transaction never runs', async () => {
  const failing = inTransaction(systemCtx(t.app.services), async (ctx) => {
    await addJob(ctx, 'expire-sign-ins', {});
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const { rows } = await t.app.services.pool.query('select 1 from graphile_worker.jobs');
  expect(rows).toEqual([]);
});

test('long jobs do not delay other jobs, and each job runs once across two runners', async () => {
  const { services } = t.app;
  let startedLong = 0;
  let quickDone = 0;
  const longRun = Promise.withResolvers<void>();
  const all = {
    jobs: {
      quick: async () => {
        quickDone += 1;
      },
    },
    longJobs: {
      long: () => {
        startedLong += 1;
        return longRun.promise;
      },
    },
    schedule: {},
  };
  const runners = await Promise.all([startJobs(services, all), startJobs(services, all)]);
  await addJobs(systemCtx(services), 'long', Array(7).fill({}));
  await expect.poll(() => startedLong).toBe(4);
  await addJobs(systemCtx(services), 'quick', Array(9).fill({}));
  await expect.poll(() => quickDone).toBe(9);
  expect(startedLong).toBe(4);
  longRun.resolve();
  await expect.poll(() => startedLong).toBe(7);
  await Promise.all(runners.map((runner) => runner.stop()));
  expect([startedLong, quickDone, await count('graphile_worker.jobs')]).toEqual([7, 9, 0]);
});

test('stopping succeeds when the runners have stopped already', async () => {
  const runners = await startJobs(t.app.services, { jobs: {}, longJobs: {}, schedule: {} });
  await runners.stop();
  await runners.stop();
});

test('jobs that start later try again after a failure, and stop before and after their start', async () => {
  const { services } = t.app;
  const done = Promise.withResolvers<void>();
  const all = { jobs: { late: async () => done.resolve() }, longJobs: {}, schedule: {} };
  let attempts = 0;
  const failing = {
    ...services,
    get pool() {
      attempts += 1;
      if (attempts === 1) throw new Error('the database is starting');
      return services.pool;
    },
  };
  const runner = startJobsLater(failing, all, 10);
  await run('late');
  await done.promise;
  await runner.stop();
  expect(attempts).toBeGreaterThan(1);
  const never = startJobsLater(services, all, 3_600_000);
  await never.stop();
});
