import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';

export const search = defineModule({ jobs, schedule });
