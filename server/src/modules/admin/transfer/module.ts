import { defineModule } from '../../../module.ts';
import { jobs, longJobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { serveTransfers } from './serve.ts';

export const transfer = defineModule({ routes, serve: serveTransfers, jobs, longJobs, schedule });
