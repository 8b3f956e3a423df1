import { invalid } from '@mozhan/contract/errors.ts';
import { type Ctx, touch } from './ctx.ts';
import { addJob } from './jobs.ts';

/** Shown while it is enabled, from one moment to another; null: from the start, or without end. */
interface Showing {
  enabled: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
}

export const isShowing = ({ enabled, startsAt, endsAt }: Showing, now: Date): boolean =>
  enabled && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now);

export function checkTimes({ startsAt, endsAt }: Showing): void {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalid('endsAt', '结束时间要晚于开始时间');
}

/** What was given, or what was there before. */
export function toTime(given: string | null | undefined, before: Date | null = null): Date | null {
  if (given === undefined) return before;
  return given === null ? null : new Date(given);
}

/** Clocks of several machines differ a little: by then it is time for all of them. */
const LATER_MS = 1000;

/** Drops the pages with a tag: now, and by a job whenever this one comes or goes by itself. */
export async function touchShowing(
  ctx: Ctx,
  { tag, job, noun }: { tag: string; job: string; noun: string },
  { id, startsAt, endsAt }: Showing & { id: string },
): Promise<void> {
  touch(ctx, tag);
  for (const [name, moment] of Object.entries({ startsAt, endsAt })) {
    if (moment === null || moment <= ctx.now) continue;
    const runAt = new Date(moment.getTime() + LATER_MS);
    await addJob(ctx, job, {}, { key: `${noun} ${name} ${id}`, runAt });
  }
}
