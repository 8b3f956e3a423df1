import { isOn } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/friend-links.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { addPageTags, type Ctx, invalidate, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import { nextSortValue } from '../../../../db/sort-position.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import * as queries from '../queries/friend-links.ts';
import { type FriendLinkRow, friendLinks } from '../tables.ts';

export const FRIEND_LINKS_TAG = 'friend-links';
const MAX_FRIEND_LINKS = 100;

export async function listVisibleFriendLinks(ctx: Ctx): Promise<FriendLinkRow[]> {
  addPageTags(ctx, FRIEND_LINKS_TAG);
  return queries.listFriendLinks(ctx.db, 'enabled');
}

export const countEnabledFriendLinks = (ctx: Ctx): Promise<number> =>
  queries.friendLinkRows.count(ctx.db, eq(friendLinks.enabled, true));

const logged = loggedRows(queries.friendLinkRows, {
  noun: 'friend-link',
  toLog: ({ id: _, createdAt: __, updatedAt: ___, ...fields }) => fields,
  onChange: (ctx, before, after) => {
    invalidate(ctx, FRIEND_LINKS_TAG);
    // Every page shows whether there are any.
    if (before?.enabled !== after?.enabled) invalidate(ctx, 'site');
  },
});

async function requireUpload(ctx: Ctx, viewer: Viewer, logo: string): Promise<void> {
  if (logo !== '' && !(await hasUpload(ctx.db, viewer.id, logo))) throw invalidField('logo', '请先上传图片');
}

export const createFriendLink = (
  ctx: Ctx,
  viewer: Viewer,
  { sort, enabled, description = '', logo = '', ...input }: z.output<typeof calls.createFriendLink.input>,
): Promise<FriendLinkRow> =>
  logged.create(ctx, async (ctx) => {
    await queries.lockFriendLinks(ctx.db);
    await requireUpload(ctx, viewer, logo);
    if ((await queries.friendLinkRows.count(ctx.db)) >= MAX_FRIEND_LINKS)
      throw invalidField('name', `最多 ${MAX_FRIEND_LINKS} 个，请先删除不用的`);
    return {
      ...input,
      id: newId(),
      description,
      logo,
      sort: sort ?? (await nextSortValue(ctx.db, friendLinks)),
      enabled: isOn(enabled, true),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    };
  });

export const updateFriendLink = (
  ctx: Ctx,
  viewer: Viewer,
  { id, enabled, ...input }: z.output<typeof calls.updateFriendLink.input>,
): Promise<FriendLinkRow> =>
  logged.update(ctx, id, async (before, ctx) => {
    if (input.logo !== undefined && input.logo !== before.logo) await requireUpload(ctx, viewer, input.logo);
    return { ...before, ...input, enabled: isOn(enabled, before.enabled), updatedAt: ctx.now };
  });

export const removeFriendLink = logged.remove;
