import type * as calls from '@mozhan/contract/announcements.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTx, shows, touch } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { nextPlace } from '../../../../db/place.ts';
import type { Prepared } from '../../../../prepared.ts';
import { checkTimes, isShowing, toTime, touchShowing } from '../../../../showing.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { renderComment } from '../../../platform/text/index.ts';
import * as queries from '../queries/announcements.ts';
import { type AnnouncementRow, announcements } from '../tables.ts';

/** Every page of the site carries them; a change drops them all. */
const TAG = 'site';
/** The list comes whole, so it ends somewhere. */
const MOST_ANNOUNCEMENTS = 200;
/** Above a list there is room for few. */
const MOST_SHOWN = 3;

const findEnabled = createLookup((db) => {
  const enabled = queries.selectEnabled(db).prepare('enabled_announcements');
  return async () => new Map([['enabled', await enabled.execute()]]);
});

/** What everyone sees now. */
export async function listCurrent(ctx: Ctx): Promise<AnnouncementRow[]> {
  shows(ctx, TAG);
  const enabled = (await findEnabled(ctx, 'enabled')) ?? [];
  return enabled.filter((row) => isShowing(row, ctx.now)).slice(0, MOST_SHOWN);
}

const logged = loggedRows(queries.announcementRows, {
  noun: 'announcement',
  toLog: ({ id: _, html: __, createdAt: ___, updatedAt: ____, ...fields }) => fields,
  onChange: async (ctx, _, after) => {
    if (after === null) touch(ctx, TAG);
    else await touchShowing(ctx, { tag: TAG, job: 'turn-announcements', noun: 'announcement' }, after);
  },
});

const layOut = async (ctx: Ctx, content: string): Promise<string> =>
  content === '' ? '' : (await renderComment(callerOf(ctx), content, [], ctx.services.config.siteUrl)).html;

export const turnAnnouncements = (ctx: Ctx): Promise<void> => inTx(ctx, async (ctx) => touch(ctx, TAG));

export async function prepareNew(
  ctx: Ctx,
  input: z.output<typeof calls.createAnnouncement.input>,
): Promise<Prepared<AnnouncementRow>> {
  const { content = '', link = '', level = 'info', sort, enabled, startsAt, endsAt } = input;
  const html = await layOut(ctx, content);
  return (ctx) =>
    logged.create(ctx, async (ctx) => {
      if ((await queries.announcementRows.count(ctx.db)) >= MOST_ANNOUNCEMENTS)
        throw invalid('title', `最多 ${MOST_ANNOUNCEMENTS} 条，请先删除不用的`);
      const row: AnnouncementRow = {
        id: newId(),
        title: input.title,
        content,
        html,
        link,
        level,
        sort: sort ?? (await nextPlace(ctx.db, announcements)),
        enabled: isOn(enabled, true),
        startsAt: toTime(startsAt),
        endsAt: toTime(endsAt),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      };
      checkTimes(row);
      return row;
    });
}

export async function prepareChange(
  ctx: Ctx,
  { id, enabled, startsAt, endsAt, ...input }: z.output<typeof calls.updateAnnouncement.input>,
): Promise<Prepared<AnnouncementRow>> {
  const laidOut = input.content === undefined ? {} : { html: await layOut(ctx, input.content) };
  return (ctx) =>
    logged.update(ctx, id, (before, ctx) => {
      const row: AnnouncementRow = {
        ...before,
        ...input,
        ...laidOut,
        enabled: isOn(enabled, before.enabled),
        startsAt: toTime(startsAt, before.startsAt),
        endsAt: toTime(endsAt, before.endsAt),
        updatedAt: ctx.now,
      };
      checkTimes(row);
      return row;
    });
}

export const removeAnnouncement = logged.remove;
