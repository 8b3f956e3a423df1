import type { Ctx, Viewer } from '../../../../ctx.ts';
import { getCurrentUser } from '../../../accounts/users/index.ts';
import { toJsonLines } from '../documents.ts';
import { createSignedLink, verifyLink } from '../links.ts';
import { listOwnRecords, type OwnKind, type OwnRecord, ownKinds } from '../queries/own-data.ts';
import { writeZip, type ZipFile } from '../zip/write.ts';

const BATCH_SIZE = 500;

export const createOwnDataLink = (ctx: Ctx, viewer: Viewer) =>
  createSignedLink(ctx, 'own-data', viewer.id, viewer);

async function* readRecords(ctx: Ctx, userId: string, kind: OwnKind): AsyncGenerator<object> {
  let after: string | null = null;
  for (;;) {
    const rows: OwnRecord[] = await listOwnRecords(ctx.db, kind, { userId, after, limit: BATCH_SIZE });
    for (const { record } of rows) yield record;
    after = rows.at(-1)?.key ?? null;
    if (rows.length < BATCH_SIZE) return;
  }
}

async function* listOwnDataFiles(ctx: Ctx, userId: string): AsyncGenerator<ZipFile> {
  const profile = await getCurrentUser(ctx, userId);
  yield {
    name: 'profile.json',
    modified: ctx.now,
    content: Buffer.from(`${JSON.stringify(profile, null, 2)}\n`),
  };
  for (const kind of ownKinds)
    yield { name: `${kind}.json`, modified: ctx.now, content: toJsonLines(readRecords(ctx, userId, kind)) };
}

/** Creates the ZIP while it is sent and stores nothing. */
export async function openOwnData(ctx: Ctx, link: string): Promise<AsyncIterable<Buffer>> {
  const { viewer } = await verifyLink(ctx, 'own-data', link);
  return writeZip(listOwnDataFiles(ctx, viewer.id));
}
