import type { FastifyInstance } from 'fastify';
import type { Services } from './ctx.ts';
import type { Brand } from './drawing/landscape.ts';
import type { Limiter } from './http/limits.ts';
import type { Binding } from './http/route.ts';
import type { Jobs } from './jobs.ts';

export interface ServeOptions extends Brand {
  services: Services;
  /** None: nothing is limited. */
  limiter: Limiter | null;
}

/** What a module gives to the app. `modules/all.ts` lists all of them. */
export interface Module {
  /** The calls of the contract, each with what answers it. */
  routes?: readonly Binding[];
  /** Adds to the server what is no call: files, feeds, callbacks. */
  serve?: (server: FastifyInstance, options: ServeOptions) => void | Promise<void>;
  jobs?: Jobs;
  /** Jobs that may take hours; they do not keep others waiting. */
  longJobs?: Jobs;
  /** When jobs run by themselves, as cron writes it. */
  schedule?: Record<string, string>;
}

export const defineModule = <const M extends Module>(module: M): M => module;
