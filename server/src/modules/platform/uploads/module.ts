import { defineModule } from '../../../module.ts';
import { eraseUnused } from './actions/storage.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { serveUploads } from './serve.ts';

export const uploads = defineModule({
  routes,
  serve: serveUploads,
  jobs,
  schedule,
  eraseUser: (ctx, { id }) => eraseUnused(ctx, id),
});
