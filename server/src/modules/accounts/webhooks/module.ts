import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';

export const webhooks = defineModule({ routes, jobs, schedule });
