import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailKind } from '@mozhan/contract/mail.ts';
import { mailKind } from '@mozhan/contract/mail.ts';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { getMailSite } from './send.ts';
import { renderMail } from './template.ts';

const signKind = (secret: string, kind: MailKind): string =>
  createHmac('sha256', secret).update(`mail preview\n${kind}`).digest('base64url');

/** Renders an example of every kind of mail. The link is signed, because a frame cannot send a session token. */
export async function listTemplates(ctx: Ctx) {
  const { config, mailSamples, secret } = ctx.services;
  const site = await getMailSite(ctx);
  return mailKind.options.map((kind) => {
    const { subject, text } = renderMail(mailSamples[kind](site), site);
    return { kind, subject, text, url: `${config.basePath}/mail-preview/${kind}.${signKind(secret, kind)}` };
  });
}

/** Mails have inline styles, which the policy of the back office forbids; nothing else is allowed. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";

const LINK = /^([a-z-]+)\.([\w-]{43})$/;

export function serveMailPreview(server: FastifyInstance, { services }: ServeOptions): void {
  server.get<{ Params: { link: string } }>(
    `${services.config.basePath}/mail-preview/:link`,
    async ({ params }, reply) => {
      const [, name, signature = ''] = LINK.exec(params.link) ?? [];
      const kind = mailKind.safeParse(name).data;
      const expected = Buffer.from(kind === undefined ? '' : signKind(services.secret, kind));
      const given = Buffer.from(signature);
      if (kind === undefined || given.length !== expected.length || !timingSafeEqual(given, expected))
        return reply.code(404).type('text/plain; charset=utf-8').send('没有这个页面');
      const site = await getMailSite(systemCtx(services));
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': POLICY,
          'x-frame-options': 'SAMEORIGIN',
          'cache-control': 'no-store',
        })
        .send(renderMail(services.mailSamples[kind](site), site).html);
    },
  );
}
