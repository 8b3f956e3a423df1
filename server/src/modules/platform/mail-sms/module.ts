import { defineModule } from '../../../module.ts';
import { jobs } from './jobs.ts';

export const mailSms = defineModule({ jobs });
