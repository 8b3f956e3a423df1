import type * as calls from '@mozhan/contract/announcements.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { nextSortValue } from '../../../../db/sort-position.ts';
import {
  invalidateNowAndOnSchedule,
  isDisplayed,
  requireValidPeriod,
  toTimeOrPrevious,
} from '../../../../display-period.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { renderComment } from '../../../platform/text/index.ts';
import * as queries from '../queries/announcements.ts';
import { type AnnouncementRow, announcements } from '../tables.ts';

/** Cache tag of all pages, because every page contains the announcements. */
const TAG = 'site';
/** Limited because the list is not paged. */
const MAX_ANNOUNCEMENTS = 200;
const MAX_VISIBLE = 3;

const findEnabled = createLookup((db) => {
  const enabled = queries.selectEnabledAnnouncements(db).prepare('enabled_announcements');
  return async () => new Map([['enabled', await enabled.execute()]]);
});

export async function listVisibleAnnouncements(ctx: Ctx): Promise<AnnouncementRow[]> {
  addPageTags(ctx, TAG);
  const enabled = (await findEnabled(ctx, 'enabled')) ?? [];
  return enabled.filter((row) => isDisplayed(row, ctx.now)).slice(0, MAX_VISIBLE);
}

const logged = loggedRows(queries.announcementRows, {
  noun: 'announcement',
  toLog: ({ id: _, html: __, createdAt: ___, updatedAt: ____, ...fields }) => fields,
  onChange: async (ctx, _, after) => {
    if (after === null) invalidate(ctx, TAG);
    else
      await invalidateNowAndOnSchedule(
        ctx,
        { tag: TAG, job: 'turn-announcements', noun: 'announcement' },
        after,
      );
  },
});

const renderContent = async (ctx: Ctx, content: string): Promise<string> =>
  content === '' ? '' : (await renderComment(callerOf(ctx), content, [], ctx.services.config.siteUrl)).html;

export const invalidateAnnouncements = (ctx: Ctx): Promise<void> =>
  inTransaction(ctx, async (ctx) => invalidate(ctx, TAG));

export async function prepareCreate(
  ctx: Ctx,
  input: z.output<typeof calls.createAnnouncement.input>,
): Promise<Prepared<AnnouncementRow>> {
  const { content = '', link = '', level = 'info', sort, enabled, startsAt, endsAt } = input;
  const html = await renderContent(ctx, content);
  return (ctx) =>
    logged.create(ctx, async (ctx) => {
      if ((await queries.announcementRows.count(ctx.db)) >= MAX_ANNOUNCEMENTS)
        throw invalidField('title', `最多 ${MAX_ANNOUNCEMENTS} 条，请先删除不用的`);
      const row: AnnouncementRow = {
        id: newId(),
        title: input.title,
        content,
        html,
        link,
        level,
        sort: sort ?? (await nextSortValue(ctx.db, announcements)),
        enabled: isOn(enabled, true),
        startsAt: toTimeOrPrevious(startsAt),
        endsAt: toTimeOrPrevious(endsAt),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      };
      requireValidPeriod(row);
      return row;
    });
}

export async function prepareUpdate(
  ctx: Ctx,
  { id, enabled, startsAt, endsAt, ...input }: z.output<typeof calls.updateAnnouncement.input>,
): Promise<Prepared<AnnouncementRow>> {
  const rendered = input.content === undefined ? {} : { html: await renderContent(ctx, input.content) };
  return (ctx) =>
    logged.update(ctx, id, (before, ctx) => {
      const row: AnnouncementRow = {
        ...before,
        ...input,
        ...rendered,
        enabled: isOn(enabled, before.enabled),
        startsAt: toTimeOrPrevious(startsAt, before.startsAt),
        endsAt: toTimeOrPrevious(endsAt, before.endsAt),
        updatedAt: ctx.now,
      };
      requireValidPeriod(row);
      return row;
    });
}

export const removeAnnouncement = logged.remove;
