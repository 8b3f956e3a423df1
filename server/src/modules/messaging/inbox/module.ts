import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { toSampleDigest } from './views.ts';

export const inbox = defineModule({ routes, jobs, schedule, mailSamples: { digest: toSampleDigest } });
