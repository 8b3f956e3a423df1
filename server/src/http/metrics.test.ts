import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { newId } from '../db/id.ts';
import { systemCtx } from '../jobs.ts';
import { sendMail } from '../modules/platform/mail-sms/index.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createWriter, publishEssay, submitEssay } from '../testing/essays.ts';
import { createOrder } from '../testing/orders.ts';
import { startTestSmtp, type TestSmtp } from '../testing/smtp.ts';

let t: TestApp;
let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startTestSmtp();
  t = await startTestApp({ runsJobs: true, config: { paySandbox: true, smtpUrl: smtp.url } });
});
afterAll(async () => {
  await t.close();
  smtp.close();
});

const query = (text: string, values: unknown[] = []) => t.app.services.pool.query(text, values);
/** Longer than gauges of the database are kept. */
const scrape = async () => {
  t.advance(20_000);
  return (await t.app.server.inject('/metrics')).body;
};
/** The value of a series such as `mails_total{result="sent"}`. */
const sampleOf = async (series: string): Promise<number | undefined> => {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
};

test('reports the queue of jobs, the age of the backup and the audit queue', async () => {
  expect(await sampleOf('backup_last_success_timestamp_seconds')).toBe(0);
  const finishedAt = new Date('2026-05-06T07:08:09Z');
  await query(
    `insert into backups (id, made_by, status, name, created_at, seen_at, finished_at)
      values ($1, 'command', 'done', 'mozhan-1.tar', $2, $2, $2)`,
    [newId(), finishedAt],
  );
  expect(await sampleOf('backup_last_success_timestamp_seconds')).toBe(finishedAt.getTime() / 1000);

  const failed = (await sampleOf('jobs_failed')) ?? 0;
  const waiting = (await sampleOf('jobs_waiting')) ?? 0;
  await query(`select graphile_worker.add_job('unknown-job', run_at => now() + interval '1 day')`);
  await query(`select graphile_worker.add_job('unknown-job', run_at => now() - interval '1 hour')`);
  await query(`select graphile_worker.add_job('unknown-job', max_attempts => 1)`);
  await query(`update graphile_worker._private_jobs set attempts = max_attempts
    where id = (select max(id) from graphile_worker._private_jobs)`);
  expect(await sampleOf('jobs_failed')).toBe(failed + 1);
  expect(await sampleOf('jobs_waiting')).toBe(waiting + 2);
  expect(await sampleOf('jobs_oldest_seconds')).toBeGreaterThanOrEqual(3600);

  expect(await sampleOf('audit_oldest_seconds')).toBe(0);
  await submitEssay(t, await createWriter(t));
  t.advance(3_600_000);
  expect(await sampleOf('audit_essays_waiting')).toBe(1);
  expect(await sampleOf('audit_oldest_seconds')).toBeGreaterThanOrEqual(3600);
});

test('reads the database only every fifteen seconds', async () => {
  const before = await sampleOf('audit_essays_waiting');
  await submitEssay(t, await createWriter(t));
  const cached = (await t.app.server.inject('/metrics')).body;
  expect(cached).toContain(`audit_essays_waiting ${before}\n`);
  expect(await sampleOf('audit_essays_waiting')).toBe((before ?? 0) + 1);
});

test('counts mails by result', async () => {
  const send = (to: string) =>
    sendMail(systemCtx(t.app.services), { kind: 'closing', to, subject: '你好', blocks: ['正文'] });
  await send('a@example.com');
  smtp.refuse('nobody@example.com', 550, '5.1.1 No such user');
  await send('nobody@example.com');
  await expect.poll(() => sampleOf('mails_total{result="sent"}')).toBe(1);
  await expect.poll(() => sampleOf('mails_total{result="bounced"}')).toBe(1);
  await expect.poll(() => sampleOf('mails_waiting')).toBe(0);
});

test('counts payments and callbacks by provider and result', async () => {
  const essayId = await publishEssay(t, await createWriter(t), { price: 300 });
  const reader = await t.register();
  const { id } = await createOrder(t, reader, { kind: 'read', targetId: essayId, payBy: 'sandbox' });
  await t.call('PUT core/user/order', { id, action: 'pay' }, { token: reader.token });
  await expect.poll(() => sampleOf('payments_total{provider="sandbox",result="paid"}')).toBe(1);
  const callback = (provider: string) =>
    t.app.server.inject({
      method: 'POST',
      url: `/api/core/fina/notify/${provider}`,
      headers: { 'content-type': 'text/plain' },
      payload: 'forged',
    });
  await callback('sandbox');
  // An unknown name is not counted, because anybody could create series without limit.
  await callback('nobody');
  expect(await sampleOf('payment_callbacks_total{provider="sandbox",result="refused"}')).toBe(1);
  expect(await scrape()).not.toContain('nobody');
});

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

test('every alert uses metrics that exist and has both annotations', async () => {
  const names = new Set((await scrape()).match(/(?<=^# TYPE )\w+/gm));
  const file = await readFile(new URL('../../../deploy/alerts.yaml', import.meta.url), 'utf8');
  const { rules } = (parse(file) as Rules).groups[0] ?? { rules: [] };
  expect(rules.length).toBeGreaterThanOrEqual(12);
  for (const { alert, expr, annotations } of rules) {
    expect(annotations.summary, alert).toMatch(/\p{Script=Han}/u);
    expect(annotations.description, alert).toMatch(/^[A-Z]/);
    const used = expr.replace(/\{[^}]*\}|\([a-z, ]+\)(?= \()/g, '').match(/\b[a-z]+_[a-z_]+\b/g) ?? ['up'];
    for (const name of used)
      expect(
        names.has(name.replace(/_count$/, '')) || names.has(name) || name === 'up',
        `${alert}: ${name}`,
      ).toBe(true);
  }
});
