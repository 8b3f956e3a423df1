import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { getHealth } from '@mozhan/contract/health.ts';
import * as jobCalls from '@mozhan/contract/jobs.ts';
import * as calls from '@mozhan/contract/system.ts';
import { bind, DONE } from '../../../http/route.ts';
import { readHealth } from './actions/health.ts';
import * as jobs from './actions/jobs.ts';
import { listJobs } from './queries/jobs.ts';
import { listOperations } from './queries/operations.ts';
import { toJob, toOperation } from './views.ts';

export const routes = [
  bind(calls.listOperations, async (ctx, { order, ...query }) => {
    const page = await listOperations(ctx.db, { ...query, isDescending: order !== SORT_ORDER.ascending });
    return { ...page, list: page.list.map((row) => toOperation(row, ctx.now)) };
  }),
  bind(getHealth, readHealth),
  bind(jobCalls.listJobs, async (ctx, input) => {
    const page = await listJobs(ctx.db, input);
    return { ...page, list: page.list.map(toJob), schedule: await jobs.listSchedule(ctx) };
  }),
  bind(jobCalls.retryJob, async (ctx, { id }) => {
    await jobs.retryJob(ctx, id);
    return DONE;
  }),
  bind(jobCalls.removeJob, async (ctx, { id }) => {
    await jobs.removeJob(ctx, id);
    return DONE;
  }),
];
