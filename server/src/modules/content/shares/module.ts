import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { servePosters } from './serve.ts';

export const shares = defineModule({ routes, serve: servePosters, jobs, schedule });
