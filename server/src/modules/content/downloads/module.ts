import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { serveDownloads } from './serve.ts';

export const downloads = defineModule({ routes, serve: serveDownloads, jobs, schedule });
