import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../ctx.ts';
import { addJob } from '../../../jobs.ts';
import { findSetting, updateSetting } from '../settings/index.ts';
import type { OutgoingMail } from './mailer.ts';
import * as queries from './queries.ts';
import { canSendMail, jobKeyOf, MAX_ATTEMPTS, sendMail } from './send.ts';
import { explainSmtpError, type SmtpFailure } from './smtp-errors.ts';
import type { MailRow } from './tables.ts';
import { testMailContent } from './test-mail.ts';

const RETENTION_MS = 30 * 86_400_000;
/** Longer than all attempts take. */
const LOST_AFTER_MS = 86_400_000;
const MAX_RESPONSE_LENGTH = 500;
const TEST_KEY = 'mail-test';

const storedTest = z.object({ server: z.string(), at: z.iso.datetime() });

/** The host and port of the SMTP server, without the account. */
export function findServer({ services }: Ctx): string | null {
  const { smtpUrl } = services.config;
  return smtpUrl === undefined ? null : new URL(smtpUrl).host;
}

/** When a test mail was last sent by the current server. */
export async function findTestedAt(ctx: Ctx): Promise<string | null> {
  const stored = storedTest.safeParse(await findSetting(ctx.db, TEST_KEY));
  return stored.success && stored.data.server === findServer(ctx) ? stored.data.at : null;
}

/** A test and a mail refused for good are not retried; the operator reads the reason in the log. */
const isFinal = (row: MailRow, failure: SmtpFailure): boolean =>
  failure.permanent || row.kind === 'test' || row.attempts + 1 >= MAX_ATTEMPTS;

async function recordFailure(ctx: Ctx, row: MailRow, failure: SmtpFailure): Promise<void> {
  const { reason, response, permanent, bounced } = failure;
  await inTransaction(ctx, async (ctx) => {
    await queries.updateMail(ctx.db, row.id, {
      status: isFinal(row, failure) ? 'failed' : 'waiting',
      attempts: row.attempts + 1,
      permanent: permanent || row.kind === 'test',
      bounced,
      reason,
      response,
      updatedAt: ctx.services.clock(),
    });
    // The users module marks the address.
    if (bounced) await addJob(ctx, 'mark-bounced-address', { address: row.address, reason });
  });
}

async function recordSuccess(ctx: Ctx, row: MailRow, response: string): Promise<void> {
  const now = ctx.services.clock();
  await inTransaction(ctx, async (ctx) => {
    await queries.updateMail(ctx.db, row.id, {
      status: 'sent',
      attempts: row.attempts + 1,
      reason: '',
      response: response.slice(0, MAX_RESPONSE_LENGTH),
      updatedAt: now,
    });
    if (row.kind === 'test')
      await updateSetting(ctx, TEST_KEY, { server: findServer(ctx) ?? '', at: now.toISOString() });
  });
}

function countFailure({ services }: Ctx, row: MailRow | null, failure: SmtpFailure): void {
  const isLast = row !== null && isFinal(row, failure);
  services.metrics.countMail(failure.bounced ? 'bounced' : isLast ? 'failed' : 'retried');
}

/** The job. It fails, and is repeated by the queue, only if another attempt may succeed. */
export async function deliverMail(ctx: Ctx, id: string | undefined, mail: OutgoingMail): Promise<void> {
  const { mailer } = ctx.services;
  if (mailer === null) throw new Error('no mail server is configured here');
  const row = id === undefined ? null : await queries.mailRows.find(ctx.db, id);
  let response: string;
  try {
    response = await mailer.send(mail);
  } catch (error) {
    const failure = explainSmtpError(error);
    if (row !== null) await recordFailure(ctx, row, failure);
    countFailure(ctx, row, failure);
    if (row === null || !(failure.permanent || row.kind === 'test')) throw error;
    return;
  }
  if (row !== null) await recordSuccess(ctx, row, response);
  ctx.services.metrics.countMail('sent');
}

export function testMail(ctx: Ctx, to: string): Promise<string> {
  if (!canSendMail(ctx))
    throw new CallError('MAIL_NOT_CONFIGURED', { message: '没有配置邮件：请设置 SMTP_URL 并重新启动程序' });
  return inTransaction(ctx, async (ctx) => {
    const id = await sendMail(ctx, { kind: 'test', to, ...testMailContent });
    logChange(ctx, `mail:${id}`, null, { address: to });
    return id;
  });
}

/** Codes have expired, and a refused mail would be refused again. */
export const canRetry = ({ kind, status, permanent }: MailRow): boolean =>
  status === 'failed' && !permanent && kind !== 'code' && kind !== 'test';

export function retryMail(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockMail(ctx.db, id);
    const row = await queries.mailRows.get(ctx.db, id);
    if (!canRetry(row) || !(await queries.rescheduleMail(ctx.db, jobKeyOf(id))))
      throw new CallError('MAIL_NOT_RETRYABLE');
    await queries.updateMail(ctx.db, id, { status: 'waiting', attempts: 0, updatedAt: ctx.now });
    logChange(ctx, `mail:${id}`, { status: row.status, reason: row.reason }, { status: 'waiting' });
  });
}

export async function expireMails(ctx: Ctx): Promise<void> {
  await queries.removeMailsBefore(ctx.db, new Date(ctx.now.getTime() - RETENTION_MS));
  const lost = new Date(ctx.now.getTime() - LOST_AFTER_MS);
  await queries.failWaitingBefore(ctx.db, lost, '没有发出：发送的任务已被删除');
}
