import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as codeFarmersRoutes } from './routes/code-farmers.ts';
import { routes as codeStarsRoutes } from './routes/code-stars.ts';
import { routes as expertsRoutes } from './routes/experts.ts';

export const directory = defineModule({
  routes: [...codeFarmersRoutes, ...codeStarsRoutes, ...expertsRoutes],
  jobs,
  schedule,
});
