import type { FastifyInstance } from 'fastify';
import type { Call } from '#contract/define.ts';
import type { Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import { getSiteSettings } from '../modules/settings/index.ts';
import { docsPage, docsStyle } from './docs-page.ts';
import { openApi } from './openapi.ts';
import type { Binding } from './route.ts';

const VERSION = '1';

/** The description of the calls, for machines and for people. */
export function docs(server: FastifyInstance, services: Services, bindings: Binding[]): void {
  const { basePath, siteUrl } = services.config;
  const calls: Call[] = bindings.map((binding) => binding.call);
  const readContract = async () => {
    const { title } = await getSiteSettings(systemCtx(services));
    return openApi(calls, title, VERSION, siteUrl ?? basePath);
  };
  server.get(`${basePath}/api/openapi.json`, async (_request, reply) => reply.send(await readContract()));
  server.get(`${basePath}/api/docs`, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage(await readContract(), `${basePath}/api/docs.css`)),
  );
  server.get(`${basePath}/api/docs.css`, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(docsStyle),
  );
}
