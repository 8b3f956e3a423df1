import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { getHealth } from '@mozhan/contract/health.ts';
import * as jobCalls from '@mozhan/contract/jobs.ts';
import * as calls from '@mozhan/contract/system.ts';
import { mapPage } from '../../../db/page.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { readHealth } from './actions/health.ts';
import * as jobs from './actions/jobs.ts';
import { listJobs } from './queries/jobs.ts';
import { listOperations } from './queries/operations.ts';
import { toJob, toOperation } from './views.ts';

export const routes = [
  bindPage(calls.listOperations, toOperation, (ctx, { order, ...query }) =>
    listOperations(ctx.db, { ...query, isDescending: order !== SORT_ORDER.ascending }),
  ),
  bind(getHealth, readHealth),
  bind(jobCalls.listJobs, async (ctx, input) => ({
    ...mapPage(await listJobs(ctx.db, input), toJob),
    schedule: await jobs.listSchedule(ctx),
  })),
  bindDone(jobCalls.retryJob, (ctx, { id }) => jobs.retryJob(ctx, id)),
  bindDone(jobCalls.removeJob, (ctx, { id }) => jobs.removeJob(ctx, id)),
];
