import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { mailKind } from '@mozhan/contract/mail.ts';
import { createTransport } from 'nodemailer';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { startTestSmtp, type TestSmtp } from '../../../testing/smtp.ts';
import { createStaff } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';
import { sendMail } from './send.ts';
import { explainSmtpError } from './smtp-errors.ts';
import { renderMail } from './template.ts';

let t: TestApp;
let smtp: TestSmtp;
let admin: string;
beforeAll(async () => {
  smtp = await startTestSmtp();
  t = await startTestApp({ runsJobs: true, config: { smtpUrl: smtp.url, mailFrom: 'noreply@site.test' } });
  admin = await t.signInAdmin();
});
afterAll(async () => {
  await t.close();
  smtp.close();
});

const list = async (input: object = {}) =>
  (await t.call('GET core/sys/mail/', input, { token: admin })).data.list;
const find = async (id: string) => (await t.call('GET core/sys/mail/one', { id }, { token: admin })).data;
const setup = async () => (await t.call('GET core/sys/mail/setup', {}, { token: admin })).data;
const sendTest = (to: string, token = admin) => t.call('POST core/sys/mail/test', { to }, { token });
const retry = (id: string, token = admin) => t.call('POST core/sys/mail/retry', { id }, { token });
/** Sends a mail as the site does. */
const send = (to: string) =>
  sendMail(systemCtx(t.app.services), { kind: 'closing', to, subject: '你好', blocks: ['正文'] });
const waitForStatus = async (id: string, status: string) => {
  await expect.poll(async () => (await find(id)).status).toBe(status);
  return find(id);
};

test('a test mail shows the answer of the server, and is logged', async () => {
  expect((await setup()).testedAt).toBeNull();
  const { data } = await sendTest('Me@Example.com');
  expect(await waitForStatus(data.id, 'sent')).toMatchObject({
    kind: 'test',
    address: 'me@example.com',
    attempts: 1,
    response: expect.stringMatching(/^250 /),
    canRetry: false,
  });
  const body = await smtp.waitForMail('me@example.com');
  expect(body).toContain('收到这封邮件，说明网站的邮件已经配置好');
  expect(await setup()).toMatchObject({
    configured: true,
    server: new URL(smtp.url).host,
    secure: false,
    from: 'noreply@site.test',
    testedAt: expect.any(String),
  });
  const log = (await t.call('GET core/sys/log/', { target: `mail:${data.id}` }, { token: admin })).data.list;
  expect(log).toMatchObject([{ call: 'POST core/sys/mail/test', after: { address: 'me@example.com' } }]);
});

test('a refused address is marked, gets no digest, and is cleared by a new verification', async () => {
  const address = `${uniqueName()}@example.com`;
  const { token, user } = await t.register();
  await t.query('update accounts set email = $2, email_verified = true where user_id = $1', [
    user.id,
    address,
  ]);
  const bounceOf = async () => {
    const { data } = await t.call('GET core/user/', {}, { token });
    return 'emailBounce' in data ? data.emailBounce : undefined;
  };
  expect(await bounceOf()).toBeNull();
  smtp.refuse(address, 550, '5.1.1 No such user here');
  const id = await send(address);
  expect(await waitForStatus(id, 'failed')).toMatchObject({
    attempts: 1,
    bounced: true,
    canRetry: false,
    reason: expect.stringContaining('收件地址被退回'),
    response: expect.stringContaining('No such user here'),
  });
  expect(await retry(id)).toMatchObject({ errorCode: 'MAIL_NOT_RETRYABLE' });
  await expect.poll(bounceOf).toContain('地址不存在');
  const detail = (await t.call('GET core/sys/user/detail', { id: user.id }, { token: admin })).data;
  expect(detail).toMatchObject({ emailBounce: expect.stringContaining('地址不存在') });

  smtp.accept(address);
  await t.call('POST core/account/code', { purpose: 'bind', target: address }, { token });
  const code = await smtp.waitForCode(address);
  const bound = await t.call('PUT core/account/code', { purpose: 'bind', target: address, code }, { token });
  expect(bound.data).toMatchObject({ email: address, emailBounce: null });
});

test('a mail that the server does not accept yet is tried again; a rule of the server marks nobody', async () => {
  smtp.refuse('later@example.com', 451, '4.2.1 Try again later');
  const later = await send('later@example.com');
  await expect.poll(async () => (await find(later)).attempts).toBeGreaterThanOrEqual(1);
  expect(await find(later)).toMatchObject({ status: 'waiting', bounced: false });
  smtp.accept('later@example.com');
  await waitForStatus(later, 'sent');

  smtp.refuse('relay@example.com', 550, '5.7.1 Relaying denied');
  const refused = await waitForStatus(await send('relay@example.com'), 'failed');
  expect(refused).toMatchObject({ bounced: false, reason: '邮件服务器不肯转给这个收件地址' });
});

test('staff retry a mail that failed because the server was not reachable', async () => {
  const id = await send('retry@example.com');
  await waitForStatus(id, 'sent');
  // As after the last attempt, when the queue keeps the job.
  await t.query(
    `select graphile_worker.add_job('send-mail', $1::json, job_key => $2, run_at => now() + interval '1 day')`,
    [JSON.stringify({ id, to: 'retry@example.com', subject: '再来', text: '再来一次' }), `send-mail ${id}`],
  );
  await t.query(`update mails set status = 'failed', attempts = 5, reason = '连接超时' where id = $1`, [id]);
  expect(await find(id)).toMatchObject({ canRetry: true });
  const [first, second] = await Promise.all([retry(id), retry(id)]);
  expect([first.success, second.success].sort()).toEqual([false, true]);
  await waitForStatus(id, 'sent');
  await smtp.waitForMail('retry@example.com', '再来一次');
  expect((await list({ keyword: 'retry@example.com' })).map((mail) => mail.id)).toEqual([id]);
  expect(await list({ keyword: 'retry@example.com', status: 'failed' })).toEqual([]);
});

test('the log contains no contents, and is removed after thirty days and with the account', async () => {
  const id = await send('old@example.com');
  await waitForStatus(id, 'sent');
  const [row] = await t.query('select mails::text as text from mails where id = $1', [id]);
  expect(row.text).not.toContain('正文');
  await t.query(`update mails set created_at = now() - interval '31 days' where id = $1`, [id]);
  await t.query(`insert into mails (id, kind, address, created_at, updated_at)
    values (gen_random_uuid(), 'digest', 'lost@example.com', now() - interval '2 days', now())`);
  await jobs['expire-mails']?.(systemCtx(t.app.services), {});
  expect(await list({ keyword: 'old@example.com' })).toEqual([]);
  expect(await list({ keyword: 'lost@example.com' })).toMatchObject([{ status: 'failed', canRetry: false }]);
});

test('needs the permissions and a valid address', async () => {
  const reader = await t.register();
  const viewer = await createStaff(t, ['mail:list']);
  expect((await t.call('GET core/sys/mail/')).status).toBe(401);
  expect((await t.call('GET core/sys/mail/', {}, { token: reader.token })).status).toBe(403);
  expect((await t.call('GET core/sys/mail/', {}, { token: viewer.token })).success).toBe(true);
  expect((await sendTest('a@example.com', viewer.token)).status).toBe(403);
  for (const to of ['', 'nobody', 'a@b', 'a@example.com\nBcc: x@example.com'])
    expect((await sendTest(to)).status).toBe(422);
});

test('every kind of mail is rendered in the look of the site, escaped and without remote contents', async () => {
  const { title } = (await t.call('GET core/site/', {})).data.settings;
  const { templates } = await setup();
  expect(templates.map(({ kind }) => kind)).toEqual(mailKind.options);
  for (const { kind, subject, text, url } of templates) {
    expect(subject, kind).toContain(`${title}：`);
    expect(text, kind).toContain(title);
    const page = await t.app.server.inject(url);
    expect(page.statusCode, kind).toBe(200);
    expect(page.headers['content-security-policy']).toContain('sandbox');
    expect(page.body).toContain(title);
    expect(page.body).toContain('prefers-color-scheme: dark');
    expect(page.body).not.toMatch(/<img|<script|src=|url\(|@import/);
  }
  expect((await t.app.server.inject(`${templates[0]?.url}x`)).statusCode).toBe(404);
  const hostile = '<script>"&</script>';
  const { html, text } = renderMail(
    {
      subject: hostile,
      blocks: [hostile, { code: hostile }, { facts: [[hostile, hostile]] }, { note: hostile }],
    },
    { title: hostile, colorPrimary: '#ff6968', siteUrl: null },
  );
  expect(html).not.toContain('<script>');
  expect(text).toContain(hostile);
});

async function failureOf(options: SMTPServerOptions, url: (port: number) => string) {
  const server = new SMTPServer({ logger: false, ...options });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const transport = createTransport(url((server.server.address() as AddressInfo).port));
  const error: unknown = await transport
    .sendMail({ from: 'a@example.com', to: 'b@example.com', text: '正文' })
    .then(
      () => null,
      (error: unknown) => error,
    );
  server.close();
  return explainSmtpError(error);
}

test('explains wrong passwords, senders, certificates, ports and timeouts', async () => {
  const refuseAuth: SMTPServerOptions = {
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('Invalid login')),
  };
  expect(await failureOf(refuseAuth, (port) => `smtp://me:wrong@127.0.0.1:${port}`)).toMatchObject({
    reason: expect.stringContaining('账号或密码不对'),
    permanent: false,
    bounced: false,
  });
  const refuseSender: SMTPServerOptions = {
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, done) =>
      done(Object.assign(new Error('5.7.1 Sender rejected'), { responseCode: 553 })),
  };
  expect(await failureOf(refuseSender, (port) => `smtp://127.0.0.1:${port}`)).toMatchObject({
    reason: expect.stringContaining('发件地址被拒绝'),
    response: expect.stringContaining('Sender rejected'),
    bounced: false,
  });
  const withTls: SMTPServerOptions = { disabledCommands: ['AUTH'] };
  expect((await failureOf(withTls, (port) => `smtp://127.0.0.1:${port}`)).reason).toContain('证书');
  expect((await failureOf(withTls, (port) => `smtps://127.0.0.1:${port}`)).reason).toContain('smtps://');
  const spam: SMTPServerOptions = {
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => done(Object.assign(new Error('Message refused'), { responseCode: 554 })));
    },
  };
  expect(await failureOf(spam, (port) => `smtp://127.0.0.1:${port}`)).toMatchObject({
    reason: expect.stringContaining('垃圾邮件'),
    permanent: true,
    bounced: false,
  });

  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const attempt = () =>
    createTransport({ host: '127.0.0.1', port, greetingTimeout: 200, connectionTimeout: 200 })
      .sendMail({ from: 'a@example.com', to: 'b@example.com', text: '正文' })
      .then(
        () => null,
        (error: unknown) => explainSmtpError(error).reason,
      );
  expect(await attempt()).toContain('超时');
  silent.close();
  await once(silent, 'close');
  expect(await attempt()).toContain('拒绝连接');
  expect(
    explainSmtpError(Object.assign(new Error('getaddrinfo ENOTFOUND x'), { code: 'EDNS' })).reason,
  ).toContain('找不到邮件服务器');
});
