import type * as calls from '@mozhan/contract/announcements.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { addJob } from '../../../../jobs.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { renderComment } from '../../../platform/text/index.ts';
import * as queries from '../queries/announcements.ts';
import { checked, isCurrent, MOST_ANNOUNCEMENTS, MOST_SHOWN } from '../rules/announcements.ts';
import type { AnnouncementRow } from '../tables.ts';

/** New ones come last, with room between; the order ends here. */
const STEP = 10;
const LAST = 9999;

/** Every page of the site carries them; a change drops them all. */
const TAG = 'site';
/** Clocks of several machines differ a little: by then it is time for all of them. */
const LATER_MS = 1000;

const findEnabled = createLookup((db) => {
  const enabled = queries.selectEnabled(db).prepare('enabled_announcements');
  return async () => new Map([['enabled', await enabled.execute()]]);
});

/** What everyone sees now. */
export async function listCurrent(ctx: Ctx): Promise<AnnouncementRow[]> {
  shows(ctx, TAG);
  const enabled = (await findEnabled(ctx, 'enabled')) ?? [];
  return enabled.filter((row) => isCurrent(row, ctx.now)).slice(0, MOST_SHOWN);
}

const toLog = ({ title, content, link, level, sort, enabled, startsAt, endsAt }: AnnouncementRow) => ({
  title,
  content,
  link,
  level,
  sort,
  enabled,
  startsAt,
  endsAt,
});

const toDate = (iso: string | null | undefined): Date | null =>
  iso === null || iso === undefined ? null : new Date(iso);

const layOut = async (ctx: Ctx, content: string): Promise<string> =>
  content === '' ? '' : (await renderComment(callerOf(ctx), content, [], ctx.services.config.siteUrl)).html;

/** Drops the pages that show announcements: now, and whenever this one comes or goes by itself. */
async function touchPages(ctx: Ctx, { id, startsAt, endsAt }: AnnouncementRow): Promise<void> {
  touch(ctx, TAG);
  for (const [name, moment] of Object.entries({ startsAt, endsAt })) {
    if (moment === null || moment <= ctx.now) continue;
    const runAt = new Date(moment.getTime() + LATER_MS);
    await addJob(ctx, 'turn-announcements', {}, { key: `announcement ${name} ${id}`, runAt });
  }
}

export const turnAnnouncements = (ctx: Ctx): Promise<void> => inTx(ctx, async (ctx) => touch(ctx, TAG));

export async function prepareNew(
  ctx: Ctx,
  input: z.output<typeof calls.createAnnouncement.input>,
): Promise<Prepared<AnnouncementRow>> {
  const { title, content = '', link = '', level = 'info', sort, enabled } = input;
  const html = await layOut(ctx, content);
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      if ((await queries.countAnnouncements(ctx.db)) >= MOST_ANNOUNCEMENTS)
        throw invalid('title', `最多 ${MOST_ANNOUNCEMENTS} 条，请先删除不用的`);
      const row = checked({
        id: newId(),
        title,
        content,
        html,
        link,
        level,
        sort: sort ?? Math.min((await queries.findLastSort(ctx.db)) + STEP, LAST),
        enabled: enabled !== FLAG.off,
        startsAt: toDate(input.startsAt),
        endsAt: toDate(input.endsAt),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      });
      await queries.insertAnnouncement(ctx.db, row);
      await touchPages(ctx, row);
      changed(ctx, `announcement:${row.id}`, null, toLog(row));
      return row;
    });
}

export async function prepareChange(
  ctx: Ctx,
  { id, enabled, startsAt, endsAt, ...input }: z.output<typeof calls.updateAnnouncement.input>,
): Promise<Prepared<AnnouncementRow>> {
  const laidOut = input.content === undefined ? {} : { html: await layOut(ctx, input.content) };
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const before = await queries.lockAnnouncement(ctx.db, id);
      const row = checked({
        ...before,
        ...input,
        ...laidOut,
        enabled: enabled === undefined ? before.enabled : enabled === FLAG.on,
        startsAt: startsAt === undefined ? before.startsAt : toDate(startsAt),
        endsAt: endsAt === undefined ? before.endsAt : toDate(endsAt),
        updatedAt: ctx.now,
      });
      await queries.updateAnnouncement(ctx.db, row);
      await touchPages(ctx, row);
      changed(ctx, `announcement:${id}`, toLog(before), toLog(row));
      return row;
    });
}

export function removeAnnouncement(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockAnnouncement(ctx.db, id);
    await queries.removeAnnouncement(ctx.db, id);
    touch(ctx, TAG);
    changed(ctx, `announcement:${id}`, toLog(before), null);
  });
}
