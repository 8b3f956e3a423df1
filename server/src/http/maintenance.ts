import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, routeNameOf } from '@mozhan/contract/define.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { textBefore } from '@mozhan/contract/text-scan.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx, Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import { getSiteSettings } from '../modules/platform/settings/index.ts';
import { type LogoShapes, MAINTENANCE_POLICY, renderMaintenancePage } from './maintenance-page.ts';

const PAGE_RETRY_SECONDS = 600;
/** Editors wait this long before they save again. */
const CALL_RETRY_SECONDS = 60;
const PASS_SECONDS = 12 * 3600;
const PASS_COOKIE = 'mozhan_pass';
const PASS = /(?:^|; *)mozhan_pass=(\d{1,16})\.([\w-]{43})(?:;|$)/;

/** Not replaced by the maintenance page: the API checks each call, and staff need the rest to sign in and work. */
const OPEN_PATHS = /^\/(api|admin|assets|files|healthz|readyz|metrics|login\.html)(\/|$)/;

/** Calls that signing in needs; whoever is no staff gets no further. */
const openCalls = new Set([
  'GET core/site/',
  'GET core/account/challenge',
  'POST core/account/login',
  'DELETE core/account/login',
  'PUT core/account/password',
  'POST core/account/code',
  'PUT core/account/code',
  'POST core/account/reset',
  'PUT core/account/reset',
  'GET core/user/qrcode/login',
  'PUT core/user/qrcode/login',
  'POST core/user/login/qrcode',
]);

export interface Maintenance {
  /** Throws for everybody but staff, who get a cookie with which they see the pages of the site. */
  checkCall: (ctx: Ctx, call: Call, request: FastifyRequest, reply: FastifyReply) => void;
}

/** While the site is in maintenance, replaces its pages, feeds and other files by a page with status 503. */
export function registerMaintenance(app: FastifyInstance, services: Services, mark: LogoShapes): Maintenance {
  const { config, secret, clock, switches } = services;
  const { basePath } = config;
  const isOn = () => switches.current().maintenance;
  const sign = (expiresAt: string) =>
    createHmac('sha256', secret).update(`maintenance\n${expiresAt}`).digest('base64url');

  function hasPass({ headers: { cookie = '' } }: FastifyRequest): boolean {
    const [, expiresAt, signature = ''] = PASS.exec(cookie) ?? [];
    if (expiresAt === undefined || Number(expiresAt) < clock().getTime()) return false;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(expiresAt)));
  }

  function sendPass(reply: FastifyReply): void {
    const expiresAt = String(clock().getTime() + PASS_SECONDS * 1000);
    const attributes = `Path=${basePath || '/'}; Max-Age=${PASS_SECONDS}; HttpOnly; SameSite=Lax`;
    const secure = config.siteUrl?.startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `${PASS_COOKIE}=${expiresAt}.${sign(expiresAt)}; ${attributes}${secure}`);
  }

  async function sendPage(reply: FastifyReply): Promise<FastifyReply> {
    const { title, colorPrimary } = await getSiteSettings(systemCtx(services));
    const { maintenanceText: text } = switches.current();
    return reply
      .code(503)
      .headers({
        'retry-after': PAGE_RETRY_SECONDS,
        'cache-control': 'no-store',
        'content-security-policy': MAINTENANCE_POLICY,
      })
      .type('text/html; charset=utf-8')
      .send(renderMaintenancePage({ mark, title, colorPrimary, text, basePath }));
  }

  const passed = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOn() || OPEN_PATHS.test(textBefore(request.url.slice(basePath.length), '?'))) return done();
    if (!hasPass(request)) return void sendPage(reply).catch(done);
    passed.add(request);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // A shared cache must not show readers what staff see.
    if (passed.has(request)) reply.header('cache-control', 'private, no-store');
    done();
  });

  return {
    checkCall({ viewer }, call, request, reply) {
      if (!isOn()) return;
      if (viewer?.isStaff) {
        if (!hasPass(request)) sendPass(reply);
        return;
      }
      if (openCalls.has(routeNameOf(call))) return;
      const { maintenanceText: message } = switches.current();
      throw new CallError('MAINTENANCE', {
        ...(message !== '' && { message }),
        retryAfter: CALL_RETRY_SECONDS,
      });
    },
  };
}
