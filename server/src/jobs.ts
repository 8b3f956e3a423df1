import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Logger, parseCronItems, type Runner, run } from 'graphile-worker';
import type { Ctx, Services } from './ctx.ts';
import { createDb } from './db/client.ts';
import { newId } from './db/id.ts';
import { secretContextOf } from './secrets/secrets.ts';

export type Jobs = Record<string, (ctx: Ctx, payload: unknown) => Promise<void>>;

/** Adds a job as a row, so that it runs only if the current transaction commits. */
export async function addJob(
  ctx: Ctx,
  name: string,
  payload: object,
  options: { key?: string; runAt?: Date; maxAttempts?: number } = {},
): Promise<void> {
  await ctx.db.execute(sql`
    select graphile_worker.add_job(
      ${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${options.key ?? null},
      run_at => ${options.runAt?.toISOString() ?? null}::timestamptz, max_attempts => ${options.maxAttempts ?? 25})`);
}

/** Payloads with codes or mails are encrypted, because they stay in the database and its backups until they are sent. */
export const encryptPayload = ({ services }: Ctx, name: string, payload: object): { encrypted: string } => ({
  encrypted: services.encryption.encrypt(secretContextOf.job(name), JSON.stringify(payload)),
});

/** Also accepts unencrypted payloads, which operators' own scripts may add. */
export function decryptPayload({ services }: Ctx, name: string, payload: unknown): unknown {
  const isEncrypted = typeof payload === 'object' && payload !== null && 'encrypted' in payload;
  if (!isEncrypted) return payload;
  return JSON.parse(services.encryption.decrypt(secretContextOf.job(name), String(payload.encrypted)));
}

/** Adds several jobs of one name in one statement. */
export async function addJobs(
  ctx: Ctx,
  name: string,
  payloads: readonly object[],
  options: { maxAttempts?: number; keys?: readonly string[] } = {},
): Promise<void> {
  if (payloads.length === 0) return;
  const keys = options.keys ?? payloads.map(() => null);
  await ctx.db.execute(sql`
    select graphile_worker.add_job(${name}, payload => each.payload, job_key => each.key,
      max_attempts => ${options.maxAttempts ?? 25})
    from unnest(${sql.param(payloads.map((payload) => JSON.stringify(payload)))}::json[], ${sql.param(keys)}::text[])
      as each (payload, key)`);
}

/** A context for work outside a request. */
export function systemCtx(services: Services): Ctx {
  return {
    services,
    db: createDb(services.pool),
    viewer: null,
    now: services.clock(),
    requester: { requestId: newId(), address: '', device: '', userAgent: '', region: '' },
    signal: null,
    file: null,
    reply: {},
    pageTags: null,
    changes: [],
    effects: null,
  };
}

interface AllJobs {
  jobs: Jobs;
  longJobs: Jobs;
  schedule: Record<string, string>;
}

export interface RunningJobs {
  stop: () => Promise<void>;
}

/** Runs jobs in this process; a job runs once however many processes there are. Long jobs have a runner of their own. */
export async function startJobs(
  services: Services,
  { jobs, longJobs, schedule }: AllJobs,
): Promise<RunningJobs> {
  const runners = [await startRunner(services, { jobs, concurrency: 4, schedule })];
  const stop = async () => {
    await Promise.all(runners.map(stopRunner));
  };
  try {
    runners.push(await startRunner(services, { jobs: longJobs, concurrency: 2, schedule: {} }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Starts the jobs after a delay, and again after a failure, for example while the database restarts. */
export function startJobsLater(services: Services, all: AllJobs, delayMs: number): RunningJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  const start = async (): Promise<RunningJobs | null> => {
    for (;;) {
      await sleep(delayMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return null;
      try {
        return await startJobs(services, all);
      } catch (error) {
        services.log.error({ err: error }, 'jobs have not started');
      }
    }
  };
  const starting = start();
  return {
    async stop() {
      stopping.abort();
      await (await starting)?.stop();
    },
  };
}

/** A runner may stop by itself when the server stops right after its start, and then refuses to stop again. */
async function stopRunner(runner: Runner): Promise<void> {
  try {
    await runner.stop();
  } catch (error) {
    if (!(error instanceof Error && error.message === 'Runner is already stopped')) throw error;
    await runner.promise;
  }
}

function startRunner(
  services: Services,
  { jobs, concurrency, schedule }: Omit<AllJobs, 'longJobs'> & { concurrency: number },
): Promise<Runner> {
  const log = services.log.child({ part: 'jobs' });
  return run({
    pgPool: services.pool,
    concurrency,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error(message);
      else if (level === 'warning') log.warn(message);
      else log.debug(message);
    }),
    taskList: Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [
        name,
        (payload: unknown) => job(systemCtx(services), payload),
      ]),
    ),
    parsedCronItems: parseCronItems(
      Object.entries(schedule).map(([task, match]) => ({ task, match, identifier: task })),
    ),
  });
}
