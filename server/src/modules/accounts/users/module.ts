import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as noticesRoutes } from './routes/notices.ts';
import { routes as usersRoutes } from './routes/users.ts';

export const users = defineModule({ routes: [...usersRoutes, ...noticesRoutes], jobs, schedule });
