import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_AUTHOR_PINS, MAX_SITE_PINS, type pinEssay as pinCall } from '@mozhan/contract/essays.ts';
import type { pinSiteEssay as pinSiteCall } from '@mozhan/contract/staff-essays.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import * as queries from '../queries/essays.ts';
import * as pins from '../queries/pins.ts';
import { canSee, essayNotFound, isAuthor } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { invalidateLists } from './shelf.ts';

const limitOf = (place: pins.PinPlace) => (place === 'site' ? MAX_SITE_PINS : MAX_AUTHOR_PINS);

const tooMany = (place: pins.PinPlace) =>
  new CallError('TOO_MANY_PINNED', {
    message: `${place === 'site' ? '首页' : '主页'}最多置顶 ${limitOf(place)} 篇文章，请先取消一篇`,
  });

interface Locked {
  essay: EssayRow;
  /** The pinned essays in order. */
  pinned: EssayRow[];
}

async function lockPinned(ctx: Ctx, place: pins.PinPlace, id: string): Promise<Locked> {
  await pins.lockPins(ctx.db, place);
  const rows = await pins.lockWithPinned(ctx.db, place, id);
  const column = pins.pinColumnOf(place);
  const pinned = rows
    .filter((row) => row[column] !== null)
    .sort((a, b) => (a[column] ?? 0) - (b[column] ?? 0));
  return { essay: queries.requirePresent(rows.find((row) => row.id === id)), pinned };
}

/** Pins an essay at a position, by default the first, or removes its pin. Returns its position afterwards. */
async function changePin(
  ctx: Ctx,
  place: pins.PinPlace,
  { essay, pinned }: Locked,
  position: number | null,
): Promise<number | null> {
  const others = pinned.filter(({ id }) => id !== essay.id);
  if (position !== null && others.length >= limitOf(place)) throw tooMany(place);
  const after = position === null ? others : others.toSpliced(position - 1, 0, essay);
  const ids = after.map(({ id }) => id);
  await pins.updatePins(
    ctx.db,
    place,
    pinned.map(({ id }) => id),
    ids,
  );
  invalidateLists(ctx, essay);
  return position === null ? null : ids.indexOf(essay.id) + 1;
}

function requireOnShelf({ status }: EssayRow): void {
  if (status !== ESSAY_STATUS.onShelf)
    throw new CallError('TRANSITION_REFUSED', { message: '只能置顶已上架的文章' });
}

/** Pins an own essay on the author's home page; the last pinned one comes first. */
export async function pinEssay(
  ctx: Ctx,
  viewer: Viewer,
  { id, pinned }: z.output<typeof pinCall.input>,
): Promise<z.output<typeof pinCall.output>> {
  const found = await queries.getEssay(ctx.db, id);
  if (!isAuthor(viewer, found))
    throw canSee(viewer, found)
      ? new CallError('FORBIDDEN', { message: '只能置顶自己的文章' })
      : essayNotFound();
  const place = { authorId: viewer.id };
  return inTransaction(ctx, async (ctx) => {
    const locked = await lockPinned(ctx, place, id);
    const { essay } = locked;
    if (pinned) requireOnShelf(essay);
    if (pinned !== (essay.authorPin !== null)) await changePin(ctx, place, locked, pinned ? 1 : null);
    return { id, pinned };
  });
}

/** Pins an essay on the site's home page, or moves it there. */
export function pinSiteEssay(
  ctx: Ctx,
  { id, pinned, position }: z.output<typeof pinSiteCall.input>,
): Promise<z.output<typeof pinSiteCall.output>> {
  return inTransaction(ctx, async (ctx) => {
    const locked = await lockPinned(ctx, 'site', id);
    const { title, sitePin } = locked.essay;
    if (pinned) requireOnShelf(locked.essay);
    const isChanged = pinned ? sitePin === null || position !== undefined : sitePin !== null;
    const pinPosition = isChanged
      ? await changePin(ctx, 'site', locked, pinned ? (position ?? 1) : null)
      : sitePin;
    logChange(ctx, `essay:${id}`, { title, pinPosition: sitePin }, { title, pinPosition });
    return { id, pinned, pinPosition };
  });
}

/** The positions that an imported essay had; null for none. */
export interface ImportedPins {
  author: number | null;
  site: number | null;
}

/** Pins an imported essay after those that are pinned already, if there is room. */
export async function pinImported(ctx: Ctx, essay: EssayRow, wanted: ImportedPins): Promise<void> {
  for (const [place, position] of [
    [{ authorId: essay.authorId }, wanted.author],
    ['site', wanted.site],
  ] as const) {
    if (position === null) continue;
    const locked = await lockPinned(ctx, place, essay.id);
    if (locked.pinned.length < limitOf(place)) await changePin(ctx, place, locked, position);
  }
}
