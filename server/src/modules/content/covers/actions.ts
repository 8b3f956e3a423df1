import type * as calls from '@mozhan/contract/covers.ts';
import type { CoverKind } from '@mozhan/contract/covers.ts';
import { isOn } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { loggedRows } from '../../../db/logged-rows.ts';
import { nextPlace } from '../../../db/place.ts';
import { isShowing, toTime, touchShowing } from '../../../showing.ts';
import { hasUpload } from '../../platform/uploads/index.ts';
import * as queries from './queries.ts';
import { canSeeAll, checked, MOST_COVERS } from './rules.ts';
import { type Cover, covers } from './tables.ts';

/** Pages with banners; a change drops them. */
const BANNER = 'banner';

/** What everyone sees now. */
export async function listOnShow(ctx: Ctx, kind: CoverKind | undefined): Promise<Cover[]> {
  if (kind !== 'library') shows(ctx, BANNER);
  const all = await queries.listCovers(ctx.db, kind);
  return all.filter((cover) => isShowing(cover, ctx.now));
}

export async function getCover(ctx: Ctx, id: string): Promise<Cover> {
  const cover = await queries.coverRows.get(ctx.db, id);
  if (!canSeeAll(ctx.viewer) && !isShowing(cover, ctx.now)) throw queries.coverRows.missing();
  shows(ctx, BANNER);
  return cover;
}

const logged = loggedRows(queries.coverRows, {
  noun: 'cover',
  toLog: ({ id: _, createdAt: __, ...fields }) => fields,
  onChange: async (ctx, before, after) => {
    if ((after ?? before)?.kind !== 'banner') return;
    if (after === null) touch(ctx, BANNER);
    else await touchShowing(ctx, { tag: BANNER, job: 'turn-banners', noun: 'banner' }, after);
  },
});

async function requireUpload(ctx: Ctx, viewer: Viewer, image: string): Promise<void> {
  if (!(await hasUpload(ctx.db, viewer.id, image))) throw invalid('image', '请先上传图片');
}

export const turnBanners = (ctx: Ctx): Promise<void> => inTx(ctx, async (ctx) => touch(ctx, BANNER));

export const createCover = (
  ctx: Ctx,
  viewer: Viewer,
  { sort, enabled, startsAt, endsAt, link = '', ...input }: z.output<typeof calls.createCover.input>,
): Promise<Cover> =>
  logged.create(ctx, async (ctx) => {
    const isOfKind = eq(covers.kind, input.kind);
    await requireUpload(ctx, viewer, input.image);
    if ((await queries.coverRows.count(ctx.db, isOfKind)) >= MOST_COVERS)
      throw invalid('image', `最多 ${MOST_COVERS} 张，请先删除不用的`);
    return checked({
      ...input,
      id: newId(),
      link,
      sort: sort ?? (await nextPlace(ctx.db, covers, isOfKind)),
      enabled: isOn(enabled, true),
      startsAt: toTime(startsAt),
      endsAt: toTime(endsAt),
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
    return checked({
      ...before,
      ...input,
      enabled: isOn(enabled, before.enabled),
      startsAt: toTime(startsAt, before.startsAt),
      endsAt: toTime(endsAt, before.endsAt),
    });
  });

/** The picture itself stays: essays may show it. */
export const removeCover = logged.remove;
