import { defineModule } from '../../../module.ts';
import { toClosingMail } from './actions.ts';
import { jobs } from './jobs.ts';
import { routes } from './routes.ts';

export const accountClosing = defineModule({
  routes,
  jobs,
  mailSamples: { closing: () => toClosingMail('林砚', new Date('2026-01-17T04:05:00Z')) },
});
