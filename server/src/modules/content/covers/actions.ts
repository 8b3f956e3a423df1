import type * as calls from '@mozhan/contract/covers.ts';
import type { CoverKind } from '@mozhan/contract/covers.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { addJob } from '../../../jobs.ts';
import { hasUpload } from '../../platform/uploads/index.ts';
import * as queries from './queries.ts';
import { canSeeAll, checked, isOnShow, MOST_COVERS } from './rules.ts';
import type { Cover } from './tables.ts';

/** New ones come last, with room between; the order ends here. */
const STEP = 10;
const LAST = 9999;

/** Pages with banners; a change drops them. */
const BANNER = 'banner';
/** Clocks of several machines differ a little: by then it is time for all of them. */
const LATER_MS = 1000;

/** What everyone sees now. */
export async function listOnShow(ctx: Ctx, kind: CoverKind | undefined): Promise<Cover[]> {
  if (kind !== 'library') shows(ctx, BANNER);
  const covers = await queries.listCovers(ctx.db, kind);
  return covers.filter((cover) => isOnShow(cover, ctx.now));
}

export async function getCover(ctx: Ctx, id: string): Promise<Cover> {
  const cover = await queries.getCover(ctx.db, id);
  if (!canSeeAll(ctx.viewer) && !isOnShow(cover, ctx.now)) throw queries.noCover();
  shows(ctx, BANNER);
  return cover;
}

const toLog = ({ id: _, createdAt: __, ...fields }: Cover) => fields;

async function requireUpload(ctx: Ctx, viewer: Viewer, image: string): Promise<void> {
  if (!(await hasUpload(ctx.db, viewer.id, image))) throw invalid('image', '请先上传图片');
}

const toDate = (iso: string | null | undefined): Date | null =>
  iso === null || iso === undefined ? null : new Date(iso);

/** Drops the pages that show banners: now, and whenever this one comes or goes by itself. */
async function touchBanners(ctx: Ctx, { id, kind, startsAt, endsAt }: Cover): Promise<void> {
  if (kind !== 'banner') return;
  touch(ctx, BANNER);
  for (const [name, moment] of Object.entries({ startsAt, endsAt })) {
    if (moment === null || moment <= ctx.now) continue;
    const runAt = new Date(moment.getTime() + LATER_MS);
    await addJob(ctx, 'turn-banners', {}, { key: `banner ${name} ${id}`, runAt });
  }
}

export const turnBanners = (ctx: Ctx): Promise<void> => inTx(ctx, async (ctx) => touch(ctx, BANNER));

export function createCover(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof calls.createCover.input>,
): Promise<Cover> {
  return inTx(ctx, async (ctx) => {
    const { kind, title, image, link = '', sort, enabled } = input;
    await requireUpload(ctx, viewer, image);
    if ((await queries.countCovers(ctx.db, kind)) >= MOST_COVERS)
      throw invalid('image', `最多 ${MOST_COVERS} 张，请先删除不用的`);
    const cover = checked({
      id: newId(),
      kind,
      title,
      image,
      link,
      sort: sort ?? Math.min((await queries.findLastSort(ctx.db, kind)) + STEP, LAST),
      enabled: enabled !== FLAG.off,
      startsAt: toDate(input.startsAt),
      endsAt: toDate(input.endsAt),
      createdAt: ctx.now,
    });
    await queries.insertCover(ctx.db, cover);
    await touchBanners(ctx, cover);
    changed(ctx, `cover:${cover.id}`, null, toLog(cover));
    return cover;
  });
}

export function updateCover(
  ctx: Ctx,
  viewer: Viewer,
  { id, enabled, startsAt, endsAt, ...input }: z.output<typeof calls.updateCover.input>,
): Promise<Cover> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockCover(ctx.db, id);
    if (input.image !== undefined && input.image !== before.image)
      await requireUpload(ctx, viewer, input.image);
    const cover = checked({
      ...before,
      ...input,
      enabled: enabled === undefined ? before.enabled : enabled === FLAG.on,
      startsAt: startsAt === undefined ? before.startsAt : toDate(startsAt),
      endsAt: endsAt === undefined ? before.endsAt : toDate(endsAt),
    });
    await queries.updateCover(ctx.db, cover);
    await touchBanners(ctx, cover);
    changed(ctx, `cover:${id}`, toLog(before), toLog(cover));
    return cover;
  });
}

/** The picture itself stays: essays may show it. */
export function removeCover(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockCover(ctx.db, id);
    await queries.removeCover(ctx.db, id);
    if (before.kind === 'banner') touch(ctx, BANNER);
    changed(ctx, `cover:${id}`, toLog(before), null);
  });
}
