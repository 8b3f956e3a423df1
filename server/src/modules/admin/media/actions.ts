import type { Page } from '@mozhan/contract/common.ts';
import type { listMedia, MediaFile, MediaUse } from '@mozhan/contract/media.ts';
import type { UploadKind } from '@mozhan/contract/uploads.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../ctx.ts';
import { mapPage } from '../../../db/page.ts';
import * as uploads from '../../platform/uploads/index.ts';
import { listMediaFiles } from './queries/files.ts';
import { listUses, loadPlaces, type UseRow } from './queries/uses.ts';
import { toMediaFile, toMediaUse } from './views.ts';

const LISTED_USES = 3;
const MAX_USES = 100;
const CLEAN_BATCH = 500;

/** Loads what the places are called, with one query per kind. */
async function nameUses(ctx: Ctx, uses: readonly UseRow[]): Promise<(UseRow & { use: MediaUse })[]> {
  const byKind = Map.groupBy(uses, ({ kind }) => kind);
  const places = new Map(
    (
      await Promise.all(
        [...byKind].map(async ([kind, rows]) => {
          const ids = [...new Set(rows.flatMap(({ targetId }) => targetId ?? []))];
          const found = (await loadPlaces[kind]?.(ctx.db, ids)) ?? [];
          return found.map((place) => [`${kind}:${place.id}`, place] as const);
        }),
      )
    ).flat(),
  );
  return uses.map((row) => ({
    ...row,
    use: toMediaUse(row.kind, places.get(`${row.kind}:${row.targetId}`)),
  }));
}

export async function listMediaPage(
  ctx: Ctx,
  query: z.output<typeof listMedia.input>,
): Promise<Page<MediaFile>> {
  const page = await listMediaFiles(ctx.db, query);
  const ids = page.list.map(({ file }) => file.id);
  const uses = await nameUses(ctx, await listUses(ctx.db, query.kind, ids, LISTED_USES));
  const byFile = Map.groupBy(uses, ({ fileId }) => fileId);
  return mapPage(page, (row) =>
    toMediaFile(row, {
      files: ctx.services.files,
      uses: (byFile.get(row.file.id) ?? []).map(({ use }) => use),
      now: ctx.now,
    }),
  );
}

export async function listUsesOf(ctx: Ctx, kind: UploadKind, id: string) {
  const uses = await listUses(ctx.db, kind, [id], MAX_USES + 1);
  const named = await nameUses(ctx, uses.slice(0, MAX_USES));
  return { list: named.map(({ use }) => use), more: uses.length > MAX_USES };
}

export async function getTotals(ctx: Ctx) {
  const before = uploads.graceEnd(ctx.now);
  const bytes = await uploads.sumTotals(ctx.db);
  return {
    image: { bytes: bytes.image, unused: await uploads.sumUnused(ctx.db, 'image', { before }) },
    attachment: {
      bytes: bytes.attachment,
      unused: await uploads.sumUnused(ctx.db, 'attachment', { before }),
    },
  };
}

const summarise = (removed: readonly { bytes: number }[]) => ({
  count: removed.length,
  bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
});

function remove(ctx: Ctx, kind: UploadKind, { ids, limit }: { ids?: readonly string[]; limit: number }) {
  return inTransaction(ctx, async (ctx) => {
    const removed = await uploads.removeUnused(ctx, kind, ids === undefined ? {} : { ids }, limit);
    for (const { id, bytes } of removed) logChange(ctx, `media:${id}`, { kind, bytes }, null);
    return summarise(removed);
  });
}

export const removeMedia = (ctx: Ctx, kind: UploadKind, ids: readonly string[]) =>
  remove(ctx, kind, { ids, limit: ids.length });

export async function cleanMedia(ctx: Ctx, kind: UploadKind) {
  const removed = await remove(ctx, kind, { limit: CLEAN_BATCH });
  return { ...removed, more: removed.count === CLEAN_BATCH };
}
