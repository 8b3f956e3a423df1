import type { MailKind } from '@mozhan/contract/mail.ts';
import type { FastifyInstance } from 'fastify';
import type { Ctx, EssayMove, Services, Viewer } from './ctx.ts';
import type { Brand } from './drawing/landscape.ts';
import type { Limiter } from './http/limits.ts';
import type { Binding } from './http/route.ts';
import type { Jobs } from './jobs.ts';
import type { MenuScreen } from './menu.ts';
import type { GaugeGroup } from './metrics.ts';
import type { MailContent, MailSite } from './modules/platform/mail-sms/index.ts';

export interface ServeOptions extends Brand {
  services: Services;
  /** Null: rate limits are off. */
  limiter: Limiter | null;
}

export type MailSamples = Record<MailKind, (site: MailSite) => MailContent>;

/** The parts that a module adds to the app; `modules/all.ts` lists all modules. */
export interface Module {
  routes?: readonly Binding[];
  /** Adds routes outside the API: files, feeds, callbacks. */
  serve?: (server: FastifyInstance, options: ServeOptions) => void | Promise<void>;
  jobs?: Jobs;
  /** Jobs that may take hours; they do not delay other jobs. */
  longJobs?: Jobs;
  schedule?: Record<string, string>;
  /** Figures of the database for Prometheus. */
  gauges?: GaugeGroup;
  /** Screens in the back office, which also declare the permissions of staff. */
  menu?: readonly MenuScreen[];
  /** Examples of the mails that the module sends, for the preview in the back office. */
  mailSamples?: Partial<MailSamples>;
  /**
   * Deletes the data of a user whose account is closed, except what others own or paid for. Must be repeatable, because an
   * interrupted closing starts again.
   */
  eraseUser?: (ctx: Ctx, user: Viewer) => Promise<void>;
  /** Runs in the transaction that changes the address of an essay. */
  essayMoved?: (ctx: Ctx, move: EssayMove) => Promise<void>;
}

export const defineModule = <const M extends Module>(module: M): M => module;
