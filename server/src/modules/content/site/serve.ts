import type { FastifyInstance } from 'fastify';
import type { ServeOptions } from '../../../module.ts';
import { serveBrand } from './brand.ts';
import { serveManifest } from './manifest.ts';

export function serveSite(server: FastifyInstance, { services, mark }: ServeOptions): void {
  serveBrand(server, services.config.basePath);
  serveManifest(server, services, mark);
}
