import type { Demo } from '@mozhan/contract/demo.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../ctx.ts';
import { addJob } from '../../../jobs.ts';
import { listDemoUserIds } from '../../accounts/users/index.ts';
import { requireNoRealPaymentsTo } from '../../payments/orders/index.ts';
import { findSetting, updateSetting } from '../../platform/settings/index.ts';
import { countDemo } from './queries.ts';
import { removeDemo } from './remove.ts';

const KEY = 'demo-removal';
const JOB = 'remove-demo';
const HEARTBEAT_MS = 20_000;
/** Without a heartbeat for this time, the process that removes the demo is considered dead. */
const STALLED_AFTER_MS = 2 * 60_000;

const storedRemoval = z.object({
  status: z.enum(['waiting', 'running', 'failed', 'done']),
  progress: z.int(),
  message: z.string(),
  seenAt: z.iso.datetime(),
});
type Removal = z.output<typeof storedRemoval>;

const saveRemoval = (ctx: Ctx, change: Partial<Removal>): Promise<void> =>
  updateSetting(ctx, KEY, { ...change, seenAt: ctx.services.clock().toISOString() });

async function findRemoval(ctx: Ctx): Promise<Demo['removal']> {
  const found = storedRemoval.safeParse(await findSetting(ctx.db, KEY));
  if (!found.success || found.data.status === 'done') return null;
  const { status, progress, message, seenAt } = found.data;
  const isStalled = status !== 'failed' && ctx.now.getTime() - new Date(seenAt).getTime() > STALLED_AFTER_MS;
  return isStalled
    ? { status: 'failed', progress: 0, message: '程序在移除途中退出了，没有改动任何内容，请再试一次' }
    : { status, progress, message };
}

/** Returns null when there is no demo content. */
export async function getDemo(ctx: Ctx): Promise<Demo | null> {
  const demo = await countDemo(ctx.db);
  return demo.users === 0 ? null : { ...demo, removal: await findRemoval(ctx) };
}

/** Queues the removal; has no effect while one is under way. */
export function queueDemoRemoval(ctx: Ctx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const demo = await getDemo(ctx);
    if (demo === null) throw new CallError('NOT_FOUND', { message: '没有示例内容，可能已经移除' });
    await requireNoRealPaymentsTo(ctx, await listDemoUserIds(ctx.db));
    logChange(ctx, 'demo:site', { users: demo.users, essays: demo.essays, ...demo.others }, null);
    if (demo.removal !== null && demo.removal.status !== 'failed') return;
    await saveRemoval(ctx, { status: 'waiting', progress: 0, message: '' });
    await addJob(ctx, JOB, {}, { key: JOB, maxAttempts: 1 });
  });
}

function describeError(ctx: Ctx, error: unknown): string {
  if (error instanceof CallError) return error.message;
  ctx.services.log.error({ err: error }, 'demo not removed');
  return '没有移除成功，内容都还在；原因见程序的日志';
}

/** The job. The progress is saved outside the transaction of the removal, so that others can see it. */
async function runDemoRemoval(ctx: Ctx): Promise<void> {
  const save = (change: Partial<Removal>) => saveRemoval(ctx, change);
  await save({ status: 'running', progress: 0 });
  // The next heartbeat makes up for a failed one.
  const heartbeat = setInterval(() => void save({}).catch(() => {}), HEARTBEAT_MS);
  try {
    await removeDemo(ctx, (share) => save({ progress: Math.floor(99 * share) }));
    await save({ status: 'done', progress: 100 });
  } catch (error) {
    await save({ status: 'failed', progress: 0, message: describeError(ctx, error) });
  } finally {
    clearInterval(heartbeat);
  }
}

export const longJobs = { [JOB]: runDemoRemoval };
