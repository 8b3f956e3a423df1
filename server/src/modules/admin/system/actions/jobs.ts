import { CallError } from '@mozhan/contract/errors.ts';
import type { ScheduledJob } from '@mozhan/contract/jobs.ts';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import * as queries from '../queries/jobs.ts';

const toLog = ({ name, state, attempts }: queries.JobRow) => ({ name, state, attempts });

export async function listSchedule({ services, db }: Ctx): Promise<ScheduledJob[]> {
  const runs = await queries.listLastRuns(db);
  return Object.entries(services.schedule)
    .map(([name, match]) => ({ id: name, name, match, lastRun: runs.get(name)?.toISOString() ?? null }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Runs the job as soon as a process is free, and resets its attempts. */
export function retryJob(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.getJob(ctx.db, id);
    if (!(await queries.rescheduleJob(ctx.db, id))) throw new CallError('JOB_RUNNING');
    logChange(ctx, `job:${id}`, toLog(before), toLog(await queries.getJob(ctx.db, id)));
  });
}

export function removeJob(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.getJob(ctx.db, id);
    if (!(await queries.removeJob(ctx.db, id))) throw new CallError('JOB_RUNNING');
    logChange(ctx, `job:${id}`, toLog(before), null);
  });
}
