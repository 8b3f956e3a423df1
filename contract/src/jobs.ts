import { z } from 'zod';
import { done, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';

const jobId = z
  .string()
  .regex(/^\d{1,18}$/, '编号的格式不对')
  .meta({ title: '编号' });

export const jobState = z
  .enum(['waiting', 'running', 'failed'])
  .meta({ title: '状态', description: 'waiting 等待，running 正在运行，failed 多次失败，不再重试' });
export type JobState = z.output<typeof jobState>;

export const job = z.object({
  id: jobId,
  name: z.string(),
  state: jobState,
  /** Ids and sizes only: user text, addresses and codes are left out. */
  payload: z.array(z.object({ name: z.string(), value: z.string() })),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastError: z.string().nullable(),
  runAt: time,
  lockedAt: time.nullable(),
  createdAt: time,
});
export type Job = z.output<typeof job>;

export const scheduledJob = z.object({
  id: z.string(),
  name: z.string(),
  /** Cron expression in UTC. */
  match: z.string(),
  lastRun: time.nullable(),
});
export type ScheduledJob = z.output<typeof scheduledJob>;

export const listJobs = defineCall({
  method: 'GET',
  path: 'core/sys/job/',
  summary: '后台任务，新的在前；schedule 是定时运行的',
  access: 'job:list',
  input: listInput.extend({
    state: jobState.optional(),
    name: z.string().trim().max(128).optional().meta({ title: '任务' }),
  }),
  output: pageOf(job).extend({ schedule: z.array(scheduledJob) }),
});

export const retryJob = defineCall({
  method: 'PUT',
  path: 'core/sys/job/',
  summary: '让任务现在就运行，失败的重新计数；正在运行的不能',
  access: 'job:update',
  input: z.object({ id: jobId }),
  output: done,
  errors: ['JOB_RUNNING'],
});

export const removeJob = defineCall({
  method: 'DELETE',
  path: 'core/sys/job/',
  summary: '删除任务，不再运行；正在运行的不能',
  access: 'job:remove',
  input: z.object({ id: jobId }),
  output: done,
  errors: ['JOB_RUNNING'],
});

export const calls = [listJobs, retryJob, removeJob] as const;
