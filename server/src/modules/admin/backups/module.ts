import { defineModule } from '../../../module.ts';
import { jobs, longJobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { serveBackups } from './serve.ts';

export const backups = defineModule({ routes, serve: serveBackups, jobs, longJobs, schedule });
