import { ESSAY_STATUS, ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type pg from 'pg';
import { startTestAliyunSms } from '../aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import { publishEssay } from '../essays.ts';
import { startTestServer } from '../http-server.ts';
import { createOrder } from '../orders.ts';
import { createTestSite } from '../site.ts';
import { startTestSmtp } from '../smtp.ts';
import { addWebhooks, performStaffTasks, setUpSite } from './back-office.ts';
import { createEssays, type PublishedEssays, scheduleEssay } from './essays.ts';
import { HOUR, mustCall, runJobs, type Users } from './helpers.ts';
import { exchangeMessages, sendLongMessage } from './messages.ts';
import { spendMoney } from './money.ts';
import { readEssays } from './readers.ts';
import { closeAccounts, createUsers, PHONE, signInElsewhere, undoEmailChange } from './users.ts';

/** A fixed time (ten in the morning in China), because nothing may depend on the current date. */
const START = new Date('2026-03-02T02:00:00Z');

/**
 * Fills every table of a migrated database through API calls and returns the time of the site's clock at the end.
 */
export async function populate(connection: pg.PoolConfig): Promise<Date> {
  const [smtp, aliyun] = await Promise.all([startTestSmtp(), startTestAliyunSms()]);
  const receiver = await startTestServer(({ url }) => ({
    status: url.pathname === '/ok' ? 200 : 500,
    body: '好',
  }));
  const config = {
    smtpUrl: smtp.url,
    mailFrom: 'noreply@site.test',
    sms: aliyun.config,
    paySandbox: true,
    webhookAllowPrivate: true,
  };
  // Only a site looks for redirects, and counts page loads and addresses that were not found.
  const site = createTestSite(
    async ({ url }) =>
      url.startsWith('/essay/detail/') ? { status: 200, html: '文章' } : { status: 404, html: '没有' },
    undefined,
    () => null,
  );
  const t = await startTestApp({
    runsJobs: true,
    connection,
    startAt: START,
    config,
    site: async () => site,
  });
  await setUpSite(t);
  await addWebhooks(t, receiver.url);
  const users = await createUsers(t, { smtp, aliyun });
  const published = await createEssays(t, users);
  await readEssays(t, users, published);
  await exchangeMessages(t, users, published);
  await spendMoney(t, users, published);
  await performStaffTasks(t, users, published);
  await undoEmailChange(t, { smtp, aliyun });
  await closeAccounts(t);
  for (const target of ['second@example.com', PHONE])
    await mustCall(t, 'POST core/account/code', { purpose: 'login', target });
  await runJobs(t, 'search-words', 'search-refresh', 'count-days', 'rank-stars', 'digest-notices');
  const startAt = t.app.services.clock();
  await t.close();

  // This app runs no jobs, so that they stay pending.
  const later = await startTestApp({ connection, startAt, config });
  await leaveWorkPending(later, users, published);
  const now = later.app.services.clock();
  await later.close();
  await Promise.all([receiver.close(), aliyun.close()]);
  smtp.close();
  return now;
}

/** Leaves mails, webhook deliveries, exports and index updates that wait for a job. */
async function leaveWorkPending(t: TestApp, users: Users, published: PublishedEssays): Promise<void> {
  const { admin, writer, second, reader, friend } = users;
  t.advance(HOUR);
  await scheduleEssay(t, users);
  await publishEssay(t, second, { title: 'A new essay about indexes', tags: ['索引'] });
  await mustCall(t, 'POST core/account/reset', { account: 'second@example.com' });
  const apiToken = { name: '备用', scopes: ['essay:read'], days: 90, password: PASSWORD };
  await mustCall(t, 'POST core/user/token/', apiToken, writer);
  const last = { essayId: published.free, content: '最后一条', requestId: 'one comment' };
  await mustCall(t, 'POST core/essay/cmt', last, friend);
  await mustCall(t, 'PUT core/sys/tag/', { name: 'B 树', to: 'B-tree' }, admin);
  await createOrder(t, reader, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
  await mustCall(t, 'POST core/sys/search/term', { words: ['飞鹤传书'] }, admin);
  await mustCall(t, 'POST core/sys/search/reindex', {}, admin);
  await mustCall(t, 'POST core/sys/backup/', {}, admin);
  await mustCall(t, 'POST core/sys/transfer/export', { scope: 'site' }, admin);
  await signInElsewhere(t, users);
  await sendLongMessage(t, users);
  await addRows(t);
}

/** Fills tables that only a large or an interrupted site, or one with challenges, uses. */
async function addRows(t: TestApp): Promise<void> {
  await t.app.services.pool.query(`
    insert into spent_challenges select 'a signature', max(expires_at) from session_tokens;
    insert into search_hot (id, stat, tokens, fresh) select id, stat, tokens, fresh from search_essays;
    insert into unindexed_essays select id from search_essays order by id limit 1;
    insert into sitemap_parts select published_at, id from essays where status = ${ESSAY_STATUS.onShelf} limit 1;
    insert into untold_orders select id, created_at from orders where status = ${ORDER_STATUS.paid} order by id desc limit 1;
    insert into remote_pictures (id, transfer_id, url, host, next_at)
      select id, id, 'https://old.example/a.png', 'old.example', created_at from transfers order by id limit 1;
    insert into import_checks (transfer_id, site, result, mapping, repeated)
      select id, 'hexo', '{}', '{}', false from transfers order by id limit 1;
    insert into remote_picture_uses (picture_id, essay_id, is_cover)
      select remote_pictures.id, essays.id, false from remote_pictures, essays order by essays.id limit 1;`);
}
