import { invalidField } from '@mozhan/contract/errors.ts';
import { type Ctx, invalidate } from './ctx.ts';
import { addJob } from './jobs.ts';

/** Displayed while enabled and between the two times; null means no limit. */
interface DisplayPeriod {
  enabled: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
}

export const isDisplayed = ({ enabled, startsAt, endsAt }: DisplayPeriod, now: Date): boolean =>
  enabled && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now);

export function requireValidPeriod({ startsAt, endsAt }: DisplayPeriod): void {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalidField('endsAt', '结束时间要晚于开始时间');
}

/** Parses the given time, or returns the previous one if none is given. */
export function toTimeOrPrevious(given: string | null | undefined, before: Date | null = null): Date | null {
  if (given === undefined) return before;
  return given === null ? null : new Date(given);
}

/** Tolerates small differences between the clocks of several machines. */
const CLOCK_TOLERANCE_MS = 1000;

/** Invalidates the tag now, and by jobs at the start and the end of the period. */
export async function invalidateNowAndOnSchedule(
  ctx: Ctx,
  { tag, job, noun }: { tag: string; job: string; noun: string },
  { id, startsAt, endsAt }: DisplayPeriod & { id: string },
): Promise<void> {
  invalidate(ctx, tag);
  for (const [name, moment] of Object.entries({ startsAt, endsAt })) {
    if (moment === null || moment <= ctx.now) continue;
    const runAt = new Date(moment.getTime() + CLOCK_TOLERANCE_MS);
    await addJob(ctx, job, {}, { key: `${noun} ${name} ${id}`, runAt });
  }
}
