import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as collectionsRoutes } from './routes/collections.ts';
import { routes as essaysRoutes } from './routes/essays.ts';
import { routes as likesRoutes } from './routes/likes.ts';

export const essays = defineModule({
  routes: [...essaysRoutes, ...collectionsRoutes, ...likesRoutes],
  jobs,
  schedule,
});
