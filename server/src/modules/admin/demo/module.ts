import * as calls from '@mozhan/contract/demo.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { defineModule } from '../../../module.ts';
import { getDemo, longJobs, queueDemoRemoval } from './removal.ts';

/** The permission is declared at the dashboard, where the button is (`admin/stats`). */
export const demo = defineModule({
  routes: [
    bind(calls.getDemo, async (ctx) => ({ demo: await getDemo(ctx) })),
    bindDone(calls.removeDemo, queueDemoRemoval),
  ],
  longJobs,
});
