import { defineModule } from '../../../module.ts';
import { jobs } from './jobs.ts';
import { routes } from './routes.ts';

export const covers = defineModule({ routes, jobs });
