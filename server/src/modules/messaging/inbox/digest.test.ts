import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { startTestSmtp, type TestSmtp } from '../../../testing/smtp.ts';
import { type NewNotice, notify } from '../../accounts/users/index.ts';
import { jobs, schedule } from './jobs.ts';

let smtp: TestSmtp;
let t: TestApp;
let secondProcess: TestApp;
beforeAll(async () => {
  smtp = await startTestSmtp();
  const config = { smtpUrl: smtp.url, mailFrom: 'noreply@site.test' };
  t = await startTestApp({ runsJobs: true, config });
  secondProcess = await startTestApp({ runsJobs: true, config, sameDatabaseAs: t });
});
afterAll(async () => {
  await secondProcess.close();
  await t.close();
  smtp.close();
});
beforeEach(() => {
  smtp.mails.length = 0;
});

async function registerReader({ verified = true } = {}) {
  const person = await t.register(undefined, { displayName: '林砚' });
  const email = `${uniqueName()}@mail.test`;
  await t.app.services.pool.query('update accounts set email = $2, email_verified = $3 where user_id = $1', [
    person.user.id,
    email,
    verified,
  ]);
  return { ...person, email };
}

const notifyUsers = (...notices: NewNotice[]) =>
  inTransaction(systemCtx(t.app.services), (ctx) => notify(ctx, ...notices));
const run = (app: TestApp = t) => jobs['digest-notices']?.(systemCtx(app.app.services), {});
const sentTo = (email: string) => smtp.mails.filter((mail) => mail.to === email);

/** Checks that another run sends no further mail. */
async function expectNoMore(email: string, count: number): Promise<void> {
  await run();
  const waiting = async () => {
    const { rows } = await t.app.services.pool.query(
      `select id from graphile_worker.jobs where task_identifier = 'send-mail'`,
    );
    return rows.length;
  };
  await expect.poll(waiting).toBe(0);
  expect(sentTo(email)).toHaveLength(count);
}

test('mails unread notices once, as text and HTML, with links to read and to unsubscribe', async () => {
  const { user, email } = await registerReader();
  const fan = await t.register(undefined, { displayName: '<周野>' });
  const id = newId();
  const target = { id, title: '标题 & <b>', url: `/told/of/${id}.html` };
  await notifyUsers(
    { userId: user.id, kind: 'like', actorId: fan.user.id, text: '赞了你的文章', target },
    {
      userId: user.id,
      kind: 'comment',
      actorId: fan.user.id,
      text: '评论了你的文章',
      target,
      excerpt: '说得好',
    },
  );
  await Promise.all([run(), run(secondProcess), run()]);
  await expect.poll(() => sentTo(email).length).toBe(1);
  const [mail] = sentTo(email);
  expect(mail?.subject).toBe('墨栈：你有 3 条未读通知');
  expect(mail?.body.split('\n')).toEqual(
    expect.arrayContaining([
      '林砚，你好。你在墨栈有 3 条未读通知：',
      '· <周野> 评论了你的文章《标题 & <b>》：说得好',
      '· <周野> 赞了你的文章《标题 & <b>》',
      '查看全部：http://site.test/account/center.html?tab=notice',
    ]),
  );
  expect(mail?.body).toContain('关闭邮件汇总：http://site.test/account/settings.html?tab=notify');
  expect(mail?.html).toMatch(
    new RegExp(
      `href="http://site.test/told/of/${id}.html"[^>]*>&lt;周野&gt; 赞了你的文章《标题 &amp; &lt;b&gt;》</a>`,
    ),
  );
  expect(mail?.html).not.toContain('<周野>');
  await expectNoMore(email, 1);
  await notifyUsers({ userId: user.id, kind: 'system', text: '后来的' });
  await run();
  await expect.poll(() => sentTo(email).length).toBe(2);
  expect(sentTo(email)[1]?.body).toContain('· 后来的\n\n还有 3 条没有列出。');
});

test('lists at most ten notices', async () => {
  const { user, email } = await registerReader();
  await notifyUsers(
    ...Array.from({ length: 14 }, (_, at) => ({
      userId: user.id,
      kind: 'system' as const,
      text: `第 ${at} 条`,
    })),
  );
  await run();
  await expect.poll(() => sentTo(email).length).toBe(1);
  const lines = sentTo(email)[0]?.body.match(/^· .*/gm);
  expect(lines).toHaveLength(10);
  expect(lines?.[0]).toBe('· 第 13 条');
  expect(sentTo(email)[0]?.body).toContain('还有 5 条没有列出。');
});

test('skips users who switched it off, read everything, have no verified address, bounced or are disabled', async () => {
  const [off, read, unproven, disabled, bounced] = await Promise.all([
    registerReader(),
    registerReader(),
    registerReader({ verified: false }),
    registerReader(),
    registerReader(),
  ]);
  const none = await t.register();
  const changed = await t.call('PUT core/user/', { digest: false }, { token: off.token });
  expect(changed.data.digest).toBe(false);
  expect(read.user.digest).toBe(true);
  await t.call('PUT core/user/notice', { all: true }, { token: read.token });
  await t.app.services.pool.query('update accounts set enabled = false where user_id = $1', [
    disabled.user.id,
  ]);
  await t.app.services.pool.query(`update accounts set email_bounce = '地址不存在' where user_id = $1`, [
    bounced.user.id,
  ]);
  await expectNoMore(off.email, 0);
  for (const each of [read, unproven, disabled, bounced]) expect(sentTo(each.email)).toEqual([]);
  expect(none.user.email).toBeNull();
  // After it is switched on again, only new notices are mailed.
  await t.call('PUT core/user/', { digest: true }, { token: off.token });
  await expectNoMore(off.email, 0);
});

test('mails more users than one batch', async () => {
  const { pool } = t.app.services;
  const mark = uniqueName();
  await pool.query(
    `with made as (
      insert into users (id, display_name, invite_code, created_at, updated_at)
      select gen_random_uuid(), '众人', $1 || at, now(), now() from generate_series(1, 230) as at returning id
    )
    insert into accounts (user_id, name, email, email_verified, password_hash, updated_at)
    select id, $1 || id, id || '@' || $1, true, '', now() from made`,
    [mark],
  );
  const { rows } = await pool.query<{ user_id: string }>(
    `select user_id from accounts where email like '%@' || $1`,
    [mark],
  );
  await notifyUsers(...rows.map((row) => ({ userId: row.user_id, kind: 'system' as const, text: '大家好' })));
  await run();
  const reached = () => smtp.mails.filter((mail) => mail.to.endsWith(mark)).map((mail) => mail.to);
  await expect.poll(() => reached().length).toBe(230);
  expect(new Set(reached()).size).toBe(230);
});

test('sends and skips nothing without a mail server', async () => {
  const { user, email } = await registerReader();
  const withoutMail = await startTestApp({ runsJobs: true, sameDatabaseAs: t });
  await notifyUsers({ userId: user.id, kind: 'system', text: '还在' });
  await run(withoutMail);
  await withoutMail.close();
  await run();
  await expect.poll(() => sentTo(email).length).toBe(1);
  expect(schedule).toEqual({ 'digest-notices': '0 0 * * *' });
});
