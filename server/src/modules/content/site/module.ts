import { defineModule } from '../../../module.ts';
import { jobs } from './jobs.ts';
import { routes as announcementsRoutes } from './routes/announcements.ts';
import { routes as siteRoutes } from './routes/site.ts';

export const site = defineModule({ routes: [...siteRoutes, ...announcementsRoutes], jobs });
