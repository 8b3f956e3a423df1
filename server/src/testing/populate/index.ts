import { ESSAY_STATUS, ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type pg from 'pg';
import { startAliyunSms } from '../aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import { listen } from '../counterpart.ts';
import { publishEssay } from '../essays.ts';
import { makeOrder } from '../orders.ts';
import { startSmtp } from '../smtp.ts';
import { makeEssays, type Published, scheduleEssay } from './essays.ts';
import { HOUR, mustCall, type People, runJobs } from './helpers.ts';
import { exchangeMessages, sendLongMessage } from './messages.ts';
import { spendMoney } from './money.ts';
import { addWebhooks, administer, setUpSite } from './office.ts';
import { closeAccounts, makePeople, PHONE, signInElsewhere, undoEmailChange } from './people.ts';
import { readEssays } from './readers.ts';

/** Ten in the morning in China, on a day long past: nothing may depend on today. */
const START = new Date('2026-03-02T02:00:00Z');

/**
 * Fills a migrated database, through the calls that people make, with rows in every table. Returns the time of the
 * site's clock at the end.
 */
export async function populate(connection: pg.PoolConfig): Promise<Date> {
  const [smtp, aliyun] = await Promise.all([startSmtp(), startAliyunSms()]);
  const receiver = await listen(({ url }) => ({ status: url.pathname === '/ok' ? 200 : 500, body: '好' }));
  const config = {
    smtpUrl: smtp.url,
    mailFrom: 'noreply@site.test',
    sms: aliyun.config,
    paySandbox: true,
    webhookAllowPrivate: true,
  };
  const t = await startTestApp({ connection, startAt: START, config });
  await setUpSite(t);
  await addWebhooks(t, receiver.url);
  const people = await makePeople(t, { smtp, aliyun });
  const published = await makeEssays(t, people);
  await readEssays(t, people, published);
  await exchangeMessages(t, people, published);
  await spendMoney(t, people, published);
  await administer(t, people, published);
  await undoEmailChange(t, { smtp, aliyun });
  await closeAccounts(t);
  for (const target of ['second@example.com', PHONE])
    await mustCall(t, 'POST core/account/code', { purpose: 'login', target });
  await runJobs(t, 'search-words', 'search-refresh', 'count-days', 'rank-stars', 'digest-notices');
  const startAt = t.app.services.clock();
  await t.close();

  // Without jobs, so that what they would do stays pending.
  const later = await startTestApp({ connection, startAt, config, runsJobs: false });
  await leaveWorkPending(later, people, published);
  const now = later.app.services.clock();
  await later.close();
  await Promise.all([receiver.close(), aliyun.close()]);
  smtp.close();
  return now;
}

/** Mails, deliveries, exports and indexes that wait for a job; sign-ins and limits that end soon. */
async function leaveWorkPending(t: TestApp, people: People, published: Published): Promise<void> {
  const { admin, writer, second, reader, friend } = people;
  t.advance(HOUR);
  await scheduleEssay(t, people);
  await publishEssay(t, second, { title: 'A new essay about indexes', tags: ['索引'] });
  await mustCall(t, 'POST core/account/reset', { account: 'second@example.com' });
  const apiToken = { name: '备用', scopes: ['essay:read'], days: 90, password: PASSWORD };
  await mustCall(t, 'POST core/user/token/', apiToken, writer);
  await mustCall(t, 'POST core/essay/cmt', { essayId: published.free, content: '最后一条' }, friend);
  await mustCall(t, 'PUT core/sys/tag/', { name: 'B 树', to: 'B-tree' }, admin);
  await makeOrder(t, reader, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
  await mustCall(t, 'POST core/sys/backup/', {}, admin);
  await mustCall(t, 'POST core/sys/transfer/export', { scope: 'site' }, admin);
  await signInElsewhere(t, people);
  await sendLongMessage(t, people);
  await addRows(t);
}

/** Of tables that only a large site, one that asks for challenges, or one that was interrupted has rows in. */
async function addRows(t: TestApp): Promise<void> {
  await t.app.services.pool.query(`
    insert into spent_challenges select 'a signature', max(expires_at) from session_tokens;
    insert into search_hot select id, stat, tokens from search_essays;
    insert into sitemap_parts select published_at, id from essays where status = ${ESSAY_STATUS.onShelf} limit 1;
    insert into untold_orders select id, created_at from orders where status = ${ORDER_STATUS.paid} order by id desc limit 1;`);
}
