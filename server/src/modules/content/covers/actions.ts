import type * as calls from '@mozhan/contract/covers.ts';
import type { CoverKind } from '@mozhan/contract/covers.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { loggedRows } from '../../../db/logged-rows.ts';
import { nextSortValue } from '../../../db/sort-position.ts';
import { invalidateNowAndOnSchedule, isDisplayed, toTimeOrPrevious } from '../../../display-period.ts';
import { hasUpload } from '../../platform/uploads/index.ts';
import * as queries from './queries.ts';
import { canSeeAll, MAX_COVERS, normalizeCover } from './rules.ts';
import { type Cover, covers } from './tables.ts';

const BANNER_TAG = 'banner';

export async function listVisibleCovers(ctx: Ctx, kind: CoverKind | undefined): Promise<Cover[]> {
  if (kind !== 'library') addPageTags(ctx, BANNER_TAG);
  const all = await queries.listCovers(ctx.db, kind);
  return all.filter((cover) => isDisplayed(cover, ctx.now));
}

export async function getCover(ctx: Ctx, id: string): Promise<Cover> {
  const cover = await queries.coverRows.get(ctx.db, id);
  if (!canSeeAll(ctx.viewer) && !isDisplayed(cover, ctx.now)) throw queries.coverRows.notFoundError();
  addPageTags(ctx, BANNER_TAG);
  return cover;
}

const logged = loggedRows(queries.coverRows, {
  noun: 'cover',
  toLog: ({ id: _, createdAt: __, ...fields }) => fields,
  onChange: async (ctx, before, after) => {
    if ((after ?? before)?.kind !== 'banner') return;
    if (after === null) invalidate(ctx, BANNER_TAG);
    else
      await invalidateNowAndOnSchedule(ctx, { tag: BANNER_TAG, job: 'turn-banners', noun: 'banner' }, after);
  },
});

async function requireUpload(ctx: Ctx, viewer: Viewer, image: string): Promise<void> {
  if (!(await hasUpload(ctx.db, viewer.id, image))) throw invalidField('image', '请先上传图片');
}

export const invalidateBanners = (ctx: Ctx): Promise<void> =>
  inTransaction(ctx, async (ctx) => invalidate(ctx, BANNER_TAG));

export const createCover = (
  ctx: Ctx,
  viewer: Viewer,
  {
    sort,
    enabled,
    startsAt,
    endsAt,
    link = '',
    summary = '',
    ...input
  }: z.output<typeof calls.createCover.input>,
): Promise<Cover> =>
  logged.create(ctx, async (ctx) => {
    const isOfKind = eq(covers.kind, input.kind);
    await requireUpload(ctx, viewer, input.image);
    if ((await queries.coverRows.count(ctx.db, isOfKind)) >= MAX_COVERS)
      throw invalidField('image', `最多 ${MAX_COVERS} 张，请先删除不用的`);
    return normalizeCover({
      ...input,
      id: newId(),
      summary,
      link,
      sort: sort ?? (await nextSortValue(ctx.db, covers, isOfKind)),
      enabled: isOn(enabled, true),
      startsAt: toTimeOrPrevious(startsAt),
      endsAt: toTimeOrPrevious(endsAt),
      createdAt: ctx.now,
    });
  });

export const updateCover = (
  ctx: Ctx,
  viewer: Viewer,
  { id, enabled, startsAt, endsAt, ...input }: z.output<typeof calls.updateCover.input>,
): Promise<Cover> =>
  logged.update(ctx, id, async (before, ctx) => {
    if (input.image !== undefined && input.image !== before.image)
      await requireUpload(ctx, viewer, input.image);
    return normalizeCover({
      ...before,
      ...input,
      enabled: isOn(enabled, before.enabled),
      startsAt: toTimeOrPrevious(startsAt, before.startsAt),
      endsAt: toTimeOrPrevious(endsAt, before.endsAt),
    });
  });

/** For the demo, whose users are no staff. */
export const createBanner = (
  ctx: Ctx,
  banner: Pick<Cover, 'title' | 'summary' | 'image' | 'link'>,
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const sort = await nextSortValue(ctx.db, covers, eq(covers.kind, 'banner'));
    await queries.coverRows.insert(ctx.db, {
      ...banner,
      id: newId(),
      kind: 'banner',
      sort,
      enabled: true,
      startsAt: null,
      endsAt: null,
      createdAt: ctx.now,
    });
    invalidate(ctx, BANNER_TAG);
  });

/** Removes what shows pictures of these users. */
export const removeCoversOf = (ctx: Ctx, userIds: string[]): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await queries.removeCoversOf(ctx.db, userIds);
    invalidate(ctx, BANNER_TAG);
  });

/** Keeps the uploaded picture, because essays may use it. */
export const removeCover = logged.remove;
