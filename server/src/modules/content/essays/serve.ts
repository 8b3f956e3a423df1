import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { findDrawing } from './queries/drawings.ts';

/** Per client address; a browser loads a drawing once. */
const RATE_LIMIT = { max: 600, per: 60 };

const NAME = /^([0-9a-f]{32})-(light|dark)\.svg$/;

/** Forbids everything, also when the drawing is opened as a document. */
const POLICY = "default-src 'none'; sandbox";

/** Serves drawings of diagrams to whoever knows their random id, which only the text that contains them names. */
export function serveDrawings(app: FastifyInstance, { services, limiter }: ServeOptions): void {
  app.get<{ Params: { name: string } }>(
    `${services.config.basePath}/drawings/:name`,
    async (request, reply) => {
      const [, id, theme] = NAME.exec(request.params.name) ?? [];
      if (id === undefined || (theme !== 'light' && theme !== 'dark')) throw new CallError('NOT_FOUND');
      limiter?.checkApproximate(
        [`drawing ${addressGroup(normalizeAddress(request.ip))}`],
        RATE_LIMIT,
        services.clock(),
      );
      const svg = await findDrawing(systemCtx(services).db, id, theme);
      if (svg === null) throw new CallError('NOT_FOUND');
      return reply
        .type('image/svg+xml; charset=utf-8')
        .headers({
          'content-security-policy': POLICY,
          // A drawing never changes.
          'cache-control': 'public, max-age=31536000, immutable',
          'x-robots-tag': 'noindex',
        })
        .send(svg);
    },
  );
}
