import * as calls from '@mozhan/contract/mail.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { canRetry, findServer, findTestedAt, retryMail, testMail } from './actions.ts';
import { senderOf } from './mailer.ts';
import { listTemplates } from './preview.ts';
import { listMails, mailRows } from './queries.ts';
import type { MailRow } from './tables.ts';

const toMail = (row: MailRow): calls.MailRecord => ({
  id: row.id,
  kind: row.kind,
  address: row.address,
  status: row.status,
  attempts: row.attempts,
  reason: row.reason,
  response: row.response,
  bounced: row.bounced,
  canRetry: canRetry(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const routes = [
  bindPage(calls.listMails, toMail, (ctx, input) => listMails(ctx.db, input)),
  bind(calls.getMail, async (ctx, { id }) => toMail(await mailRows.get(ctx.db, id))),
  bind(calls.getMailSetup, async (ctx) => {
    const { config, mailer } = ctx.services;
    return {
      configured: mailer !== null,
      server: findServer(ctx),
      secure: config.smtpUrl?.startsWith('smtps:') ?? false,
      from: config.smtpUrl === undefined ? null : senderOf(config),
      testedAt: await findTestedAt(ctx),
      templates: await listTemplates(ctx),
    };
  }),
  bind(calls.testMail, async (ctx, { to }) => ({ id: await testMail(ctx, to) })),
  bindDone(calls.retryMail, (ctx, { id }) => retryMail(ctx, id)),
];
