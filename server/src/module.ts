import type { FastifyInstance } from 'fastify';
import type { Ctx, Services, Viewer } from './ctx.ts';
import type { Brand } from './drawing/landscape.ts';
import type { Limiter } from './http/limits.ts';
import type { Binding } from './http/route.ts';
import type { Jobs } from './jobs.ts';
import type { MenuScreen } from './menu.ts';

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
  /** Its screens in the back office; the permissions of staff come from here. */
  menu?: readonly MenuScreen[];
  /**
   * Removes what is only this user's when their account is closed. What others hold or paid for stays. It may be
   * repeated: a closing that was interrupted begins again.
   */
  erase?: (ctx: Ctx, user: Viewer) => Promise<void>;
}

export const defineModule = <const M extends Module>(module: M): M => module;
