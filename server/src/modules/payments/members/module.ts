import { defineModule } from '../../../module.ts';
import { routes as membersRoutes } from './routes/members.ts';
import { routes as pricesRoutes } from './routes/prices.ts';

export const members = defineModule({ routes: [...membersRoutes, ...pricesRoutes] });
